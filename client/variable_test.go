package client

import (
	"errors"
	"testing"
)

// What a server says of a variable is told from what its source says, and from
// the codes of errors.
func TestVariableThatIsWanted(t *testing.T) {
	t.Parallel()
	const traceback = "Traceback (most recent call last):\n  File \"/srv/MY_APP/set/server.py\", line 9, in <module>\n    "
	for _, tt := range []struct{ said, want string }{
		{traceback + "sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)\n    ~~~~^^^^\nOSError: [Errno 92] Protocol not available", ""},
		{traceback + "cache.set(MAX_ENTRIES,\n        required=MIN_ENTRIES)\nTypeError: unsupported operand", ""},
		{"cache.reset(MAX_ENTRIES)", ""},
		{"Config settings loaded from DB_CACHE\nboom", ""},
		{"TypeError [ERR_INVALID_ARG_TYPE]: path is undefined", ""},
		{"/srv/server.js:3\n  map.set(MAX_ENTRIES)\n      ^\n\nTypeError: no\n    at Map.set (/srv/MY_APP/server.js:3:5)\n    at node:internal/main:1:2 {\n  code: 'X'", ""},
		{"TypeError [ERR_INVALID_ARG_TYPE]: the GITHUB_TOKEN is undefined", "GITHUB_TOKEN"},
		{traceback + "os.environ['TOKEN']\nKeyError: 'TOKEN'", "TOKEN"},
		{"  | Traceback (most recent call last):\n  |   File \"/srv/server.py\", line 9, in x\n  |     cache.set(MAX_ENTRIES)\n  | ValueError: set WEATHER_API_KEY first", "WEATHER_API_KEY"},
		{"/srv/server.js:3\nthrow new Error(text)\n^\n\nError: GITHUB_TOKEN is not set\n    at x (/srv/server.js:3:5)", "GITHUB_TOKEN"},
		{"Please set the GITHUB_TOKEN", "GITHUB_TOKEN"},
		{"Missing required environment variable: BRAVE_API_KEY", "BRAVE_API_KEY"},
		{"Error: SLACK_BOT_TOKEN must be set", "SLACK_BOT_TOKEN"},
	} {
		c := circumstances{err: &Error{Kind: ErrExited, Err: errors.New("exit status 1")}, said: tt.said, path: "/srv/server.py", exit: "exit status 1"}
		var d Diagnosis
		c.diagnose(&d)
		if d.Set != tt.want || (d.Cause == CauseVariable) != (tt.want != "") {
			t.Errorf("of %q: %q, %+v", tt.said, tt.want, d)
		}
	}
}
