package diagnose

import (
	"testing"
)

// @modelcontextprotocol/server-gdrive asks the user to run it once with "auth". goated told the
// user to check its arguments. The words are the server's, so goated builds no command from them.
func TestAServerThatIsToBeRunAnotherWayFirst(t *testing.T) {
	t.Parallel()
	for output, want := range map[string]string{
		"Credentials not found. Please run with 'auth' argument first.":                                "auth",
		"Not signed in. Run `weather login` to sign in.":                                               "weather login",
		"No token. Please run \"npx -y @acme/weather auth\" and try again.":                            "npx -y @acme/weather auth",
		"Run weather setup before you start the server.":                                               "setup",
		"Please run with auth first":                                                                   "auth",
		"Cannot run the initial setup":                                                                 "",
		"Running the author's 'weather' first":                                                         "",
		"Traceback (most recent call last):\n  File \"a.py\", line 1\n    run('auth')\nValueError: no": "",
	} {
		f := Facts{Failure: StartFailed, Output: output, Stderr: true, Command: Command{Program: "/usr/bin/npx"}, Exit: Exit{Ended: true, Code: 1}}
		d := Find(f)
		if (d.Cause == FirstRunNeeded) != (want != "") || d.Cause == FirstRunNeeded && d.Args.Subject != want {
			t.Errorf("%q: %+v, want %q", output, d, want)
		}
		if len(d.Args.Commands) > 0 {
			t.Errorf("%q: the user is to run %q", output, d.Args.Commands)
		}
		f.Failure = Exited
		if d := Find(f); d.Cause == FirstRunNeeded {
			t.Errorf("%q: of a server that ran: %+v", output, d)
		}
	}
}
