package diagnose

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"goated/client/internal/answers"
	"goated/internal/sandbox"
	"goated/internal/sandbox/limit"
)

// on returns a machine that has these files and programs, by name. Each file in the map exists and
// contains the text.
func on(files map[string]string, programs ...string) Machine {
	return Machine{
		Exists:    func(path string) bool { _, ok := files[path]; return ok },
		Read:      func(path string) []byte { return []byte(files[path]) },
		Real:      func(path string) (string, error) { return path, nil },
		Installed: func(program string) bool { return slices.Contains(programs, program) },
	}
}

const script = "/srv/server.py"

// These are errors that the operating system returns when goated starts a server.
func TestSystem(t *testing.T) {
	t.Parallel()
	missing := &exec.Error{Name: "node", Err: exec.ErrNotFound}
	nowhere := Command{Program: " "} // no program was found
	path := func(err error) error { return &os.PathError{Op: "fork/exec", Path: "/opt/server", Err: err} }
	for _, tt := range []struct {
		name    string
		facts   Facts
		want    Cause
		subject string
		command []string
	}{
		{"no program", Facts{Err: missing}, ProgramMissing, "node", nil},
		{"package manager", Facts{Err: missing, Machine: on(nil, "dnf")}, ProgramMissing, "node", []string{"sudo", "dnf", "install", "nodejs", "npm"}},
		{"as root", Facts{Err: missing, Machine: Machine{Root: true, Installed: func(name string) bool { return name == "apk" }}}, ProgramMissing, "node", []string{"apk", "add", "nodejs", "npm"}},
		{"on Windows", Facts{Err: missing, Machine: Machine{Windows: true, Installed: func(name string) bool { return name == "winget" }}}, ProgramMissing, "node", []string{"winget", "install", "OpenJS.NodeJS.LTS"}},
		{"unknown program", Facts{Err: &exec.Error{Name: "deno", Err: exec.ErrNotFound}, Machine: on(nil, "dnf")}, ProgramMissing, "deno", nil},
		{"elsewhere", Facts{Err: missing, Machine: Machine{Elsewhere: func(string) string { return "/opt/node" }}}, ProgramElsewhere, "node", nil},
		{"script missing", Facts{Failure: ScriptNotFound}, ScriptMissing, script, nil},
		{"no sandbox", Facts{Fault: Unsandboxed}, SandboxMissing, "", nil},
		{"cancelled", Facts{Fault: Cancelled}, StartCancelled, "", nil},
		{"wrong format", Facts{Err: path(syscall.ENOEXEC)}, WrongFormat, "/opt/server", nil},
		{"forbidden", Facts{Err: path(fs.ErrPermission)}, ProgramForbidden, "/opt/server", []string{"chmod", "u+rx", "/opt/server"}},
		{"forbidden on Windows", Facts{Err: path(fs.ErrPermission), Machine: Machine{Windows: true}}, ProgramForbidden, "/opt/server", nil},
		{"no interpreter", Facts{Err: path(fs.ErrNotExist), Machine: on(map[string]string{"/opt/server": ""})}, InterpreterMissing, "/opt/server", nil},
		{"another file forbidden", Facts{Err: &os.PathError{Op: "open", Path: "/etc/shadow", Err: fs.ErrPermission}}, NotStarted, "", nil},
		{"gone", Facts{Err: path(fs.ErrNotExist)}, ProgramGone, "/opt/server", nil},
		{"gone before its start", Facts{Command: nowhere, Err: path(fs.ErrNotExist)}, ProgramGone, "/opt/server", nil},
		{"not found by its path", Facts{Command: nowhere, Err: &exec.Error{Name: "/opt/other", Err: fs.ErrNotExist}}, ProgramGone, "/opt/other", nil},
		{"forbidden before its start", Facts{Command: nowhere, Err: &exec.Error{Name: "/opt/other", Err: fs.ErrPermission}}, ProgramForbidden, "/opt/other", []string{"chmod", "u+rx", "/opt/other"}},
		{"no working directory", Facts{Err: &os.PathError{Op: "chdir", Path: "/srv/none", Err: fs.ErrNotExist}, Machine: on(map[string]string{"/opt/server": ""})}, ProgramGone, "/srv/none", nil},
		{"something gone", Facts{Command: nowhere, Err: fs.ErrNotExist}, NotStarted, "", nil},
	} {
		f := tt.facts
		if f.Script = script; f.Program != " " {
			f.Program = "/opt/server"
		}
		f.Program = strings.TrimSpace(f.Program)
		if f.Failure == OtherFailure {
			f.Failure = StartFailed
		}
		d := Find(f)
		var command []string
		if len(d.Args.Commands) > 0 {
			command = d.Args.Commands[0]
		}
		if d.Cause != tt.want || d.Args.Subject != tt.subject || !slices.Equal(command, tt.command) {
			t.Errorf("%s: %+v", tt.name, d)
		}
	}
}

// A server reports problems with memory, files and ports before it exits.
func TestLastWordsAboutTheSystem(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]struct {
		cause   Cause
		subject string
	}{
		"MemoryError": {OutOfMemory, ""},
		"FileNotFoundError: [Errno 2] No such file or directory: '/a/b.json'": {FileMissing, "/a/b.json"},
		"Error: ENOENT: no such file or directory, open '/a/b.json'":          {FileMissing, "/a/b.json"},
		"PermissionError: [Errno 13] Permission denied: '/etc/x'":             {FileForbidden, "/etc/x"},
		"Error: EACCES: permission denied, open '/etc/x'":                     {FileForbidden, "/etc/x"},
		"mkdir: operation not permitted":                                      {FileForbidden, ""},
		"Error: listen EADDRINUSE: address already in use 127.0.0.1:8123":     {PortTaken, "8123"},
		"panic: listen tcp 127.0.0.1:8123: bind: address already in use":      {PortTaken, "8123"},
		"the weather is fine": {EndedWithOutput, ""},
	} {
		d := Find(Facts{Failure: Exited, Exit: Exit{Ended: true, Code: 1}, Output: words, Stderr: true, Command: Command{Script: script, Program: "/opt/server"}})
		if d.Cause != want.cause || d.Args.Subject != want.subject {
			t.Errorf("%s: %+v", words, d)
		}
	}
}

// A fault that goated itself noticed is the cause, whatever the server wrote. Many servers report a
// missing module and work without it.
func TestNoticedFaultsComeFirst(t *testing.T) {
	t.Parallel()
	for fault, want := range map[Fault]Cause{
		Flooding: Flood, Noise: NotMCP, ClosedStdin: StdinClosed, ClosedStdout: StdoutClosed, UnreadInput: InputUnread,
	} {
		f := Facts{
			Failure: ProtocolFailed, Fault: fault, Err: errors.New("x"), Command: Command{Script: script}, Strays: 1, Stray: "UTF-16: hi",
			Output: "ModuleNotFoundError: No module named 'uvloop'\nListen: address already in use",
		}
		d := Find(f)
		if d.Cause != want || d.Args.Open != script || d.Args.Commands != nil {
			t.Errorf("%v: %+v", fault, d)
		}
		if noise := d.Args.Subject == f.Stray; noise != (fault == Noise) {
			t.Errorf("%v has the subject %q", fault, d.Args.Subject)
		}
	}
}

// A server may run without speaking MCP, or it may have exited.
func TestProtocolAndEnding(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		facts   Facts
		want    Cause
		subject string
	}{
		{"other output", Facts{Failure: ConnectTimeout, Strays: 1, Stray: "hello"}, NotMCP, "hello"},
		{"UTF-16", Facts{Failure: ProtocolFailed, Strays: 1, Stray: "UTF-16: {}"}, NotMCP, "UTF-16: {}"},
		{"timeout", Facts{Failure: ConnectTimeout}, NoAnswer, ""},
		{"an answer that can't be read", Facts{Failure: ProtocolFailed, Refusal: &Refusal{-32700, "the server's message is nested more than 512 levels deep"}}, ProtocolError, ""},
		{"a refusal with the code of an unreadable request", Facts{Failure: ProtocolFailed, Refusal: &Refusal{-32700, "Parse error"}}, Refused, "-32700"},
		{"refusal", Facts{Failure: ProtocolFailed, Refusal: &Refusal{-32600, "not today."}}, Refused, "-32600"},
		{"protocol", Facts{Failure: ProtocolFailed, Err: errors.New("it goes round in circles")}, ProtocolError, ""},
		{"versions", Facts{Failure: ProtocolFailed, Err: fmt.Errorf("connecting: %w", &answers.VersionError{Theirs: "2099-01-01", Ours: "2025-11-25"})}, ProtocolVersion, "2099-01-01"},
		{"words of a server about versions", Facts{Failure: ProtocolFailed, Err: errors.New("the server speaks MCP 1; goated speaks MCP 2")}, ProtocolError, ""},
		{"protocol without a reason", Facts{Failure: ProtocolFailed}, ProtocolError, ""},
		{"no server", Facts{Failure: StartFailed, Exit: Exit{Ended: true}}, EndedEarly, ""},
		{"killed", Facts{Failure: Exited, Exit: Exit{Ended: true, Code: -1, Signal: "killed"}}, Killed, ""},
		{"crash", Facts{Failure: StartFailed, Exit: Exit{Ended: true, Code: -1, Signal: "segmentation fault"}}, Crashed, "segmentation fault"},
		{"crash that the interpreter reports", Facts{Failure: StartFailed, Exit: Exit{Ended: true, Code: 2}, Output: "fatal error: stack overflow"}, Crashed, "stack overflow"},
		{"did not start", Facts{Failure: StartFailed}, NotStarted, ""},
		{"output", Facts{Failure: Exited, Exit: Exit{Ended: true, Code: 3}, Stderr: true, Output: "bye"}, EndedWithOutput, ""},
		{"silence", Facts{Failure: Exited, Exit: Exit{Ended: true, Code: 3}}, EndedSilently, ""},
		{"a failed call", Facts{}, Unknown, ""},
	} {
		if d := Find(tt.facts); d.Cause != tt.want || d.Args.Subject != tt.subject {
			t.Errorf("%s: %+v", tt.name, d)
		}
	}
	if d := Find(Facts{Failure: ProtocolFailed, Err: errors.New("it goes round in circles")}); d.Args.Text != "it goes round in circles" {
		t.Errorf("the reason is %q", d.Args.Text)
	}
}

// A server reports that it lacks a variable. Its source code and error codes can look the same by
// chance.
func TestVariable(t *testing.T) {
	t.Parallel()
	const traceback = "Traceback (most recent call last):\n  File \"/srv/MY_APP/set/server.py\", line 9, in <module>\n    "
	for _, tt := range []struct{ output, want string }{
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
		{"GITHUB_TOKEN is not set\nlook here:\n  ^", "GITHUB_TOKEN"},
		{"Missing required environment variable: BRAVE_API_KEY", "BRAVE_API_KEY"},
		{"Error: SLACK_BOT_TOKEN must be set", "SLACK_BOT_TOKEN"},
	} {
		d := Find(Facts{Failure: Exited, Err: errors.New("exit status 1"), Output: tt.output, Command: Command{Script: script}, Exit: Exit{Ended: true, Code: 1}})
		if d.Args.Variable != tt.want || (d.Cause == VariableMissing) != (tt.want != "") {
			t.Errorf("%q: %+v, want %q", tt.output, d, tt.want)
		}
	}
}

// A server that names a variable and goes on does not lack it: another error ends it, it hangs, or it
// exits long after it had connected.
func TestVariableThatTheServerDoesWithout(t *testing.T) {
	t.Parallel()
	const (
		warned = "[warn] GITHUB_TOKEN is not set, using unauthenticated requests\n"
		plain  = "GITHUB_TOKEN is not set\n"
		node   = "/srv/server.js:42\n  tree.map(f)\n       ^\n\nTypeError: tree.map is not a function\n    at walk (/srv/server.js:42:8)\n\nNode.js v22.1.0\n"
		caught = "Fatal error in main(): TypeError: tree.map is not a function\n    at walk (/srv/server.js:42:8)\n"
		python = "Traceback (most recent call last):\n  File \"/srv/server.py\", line 7, in <module>\n    walk()\nTypeError: no tree\n"
		chain  = "Traceback (most recent call last):\n  File \"/srv/server.py\", line 3, in key\n    os.environ['GITHUB_TOKEN']\nKeyError: 'GITHUB_TOKEN'\n\nThe above exception was the direct cause of the following exception:\n\n" + python
		cause  = "Error: no client\n    at main (/srv/server.js:9:1) {\n  [cause]: Error: GITHUB_TOKEN is not set\n      at key (/srv/server.js:3:1)\n}\n"
		lines  = "Checking the cache\nConnected\nlist\ncall\ncall\ncall\n"
	)
	for _, tt := range []struct {
		name    string
		failure Failure
		output  string
		want    Cause
	}{
		{"warned, then Node's error", StartFailed, warned + node, UncaughtError},
		{"warned, then Node's error", Exited, warned + node, UncaughtError},
		{"warned, then Python's error", StartFailed, warned + python, UncaughtError},
		{"warned, then Python's error", Exited, warned + lines + python, UncaughtError},
		{"said, then another error", StartFailed, plain + node, UncaughtError},
		{"warned, then a logged error", StartFailed, warned + caught, EndedWithOutput},
		{"warned, then nothing", ConnectTimeout, warned, NoAnswer},
		{"said, then nothing", ConnectTimeout, plain, NoAnswer},
		{"an error, then nothing", ConnectTimeout, "Error: GITHUB_TOKEN is not set\n", VariableMissing},
		{"an error, then a file watcher", ConnectTimeout, "Error: GITHUB_TOKEN is not set\n    at key (/srv/server.js:3:1)\n[nodemon] app crashed - waiting for file changes before starting...\n", VariableMissing},
		{"warned, then the end", StartFailed, warned, VariableMissing},
		{"warned, then the end", Exited, warned, EndedWithOutput},
		{"warned, then another line", StartFailed, warned + "The cache is locked\n", EndedWithOutput},
		{"said long before", Exited, plain + lines, EndedWithOutput},
		{"said at the end", Exited, lines + plain, VariableMissing},
		{"an error, then one of the program", StartFailed, "ERROR GITHUB_TOKEN is not set\n" + python, VariableMissing},
		{"a chain", StartFailed, warned + chain, VariableMissing},
		{"a chain", Exited, lines + chain, VariableMissing},
		{"a cause", StartFailed, warned + cause, VariableMissing},
		{"a report that names it in other words", StartFailed, plain + "Error: bad GITHUB_TOKEN\n    at x (/srv/server.js:3:1)\n", VariableMissing},
		{"another one at the end", StartFailed, "[warn] CACHE_DIR is not set, using /tmp\nGITHUB_TOKEN is required\n", VariableMissing},
	} {
		f := Facts{
			Failure: tt.failure, Output: tt.output, Stderr: true, Command: Command{Script: "/srv/server.js", Folder: "/srv"},
			Machine: on(map[string]string{"/srv/server.js": "", "/srv/server.py": ""}),
		}
		if tt.failure != ConnectTimeout {
			f.Err, f.Output, f.Exit = errors.New("exit status 1"), tt.output+"exit status 1", Exit{Ended: true, Code: 1}
		}
		d := Find(f)
		if d.Cause != tt.want || tt.want == VariableMissing && d.Args.Variable != "GITHUB_TOKEN" {
			t.Errorf("%v, %s: %+v, want %s", tt.failure, tt.name, d, tt.want)
		}
	}
}

// A port, a file or a module that a connected server did without is not why another error ended it.
func TestOnlyTheLastErrorOfAConnectedServerCounts(t *testing.T) {
	t.Parallel()
	const python = "Traceback (most recent call last):\n  File \"/srv/server.py\", line 7, in <module>\n    walk()\nTypeError: no tree\n"
	for _, before := range []string{
		"Error: listen EADDRINUSE: address already in use :::9229\n", "ENOENT: no such file or directory, open '/srv/cache.json'\n", "permission denied: '/srv/cache'\n",
		"Traceback (most recent call last):\n  File \"/srv/server.py\", line 1, in <module>\n    import uvloop\nModuleNotFoundError: No module named 'uvloop'\n",
	} {
		f := Facts{
			Failure: Exited, Err: errors.New("exit status 1"), Output: before + "Connected\n" + python, Stderr: true, Command: Command{Script: script, Folder: "/srv"},
			Exit: Exit{Ended: true, Code: 1}, Machine: on(map[string]string{script: ""}),
		}
		if d := Find(f); d.Cause != UncaughtError || d.Args.Text != "TypeError: no tree" {
			t.Errorf("%q: %+v", before, d)
		}
	}
}

// The diagnosis names all the variables that a server needs, and the button sets the first one that
// is not set. For @modelcontextprotocol/server-slack, goated named only the second one.
func TestSeveralVariables(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ output, env, names, first string }{
		{"Please set SLACK_BOT_TOKEN and SLACK_TEAM_ID environment variables", "", "SLACK_BOT_TOKEN and SLACK_TEAM_ID", "SLACK_BOT_TOKEN"},
		{"Please set SLACK_BOT_TOKEN and SLACK_TEAM_ID environment variables", "SLACK_BOT_TOKEN=x", "SLACK_TEAM_ID", "SLACK_TEAM_ID"},
		{"Error: API_KEY or API_TOKEN is required\nbye", "", "API_KEY or API_TOKEN", "API_KEY"},
		{"Missing required environment variables: DB_HOST, DB_USER, and DB_NAME", "DB_USER=ann", "DB_HOST and DB_NAME", "DB_HOST"},
		{"see OLD_NAME and NEW_NAME\nNEW_NAME is not set", "", "NEW_NAME", "NEW_NAME"},
	} {
		d := Find(Facts{Failure: Exited, Err: errors.New("exit status 1"), Output: tt.output, Command: Command{Script: script, Env: []string{tt.env}}, Exit: Exit{Ended: true, Code: 1}})
		if d.Cause != VariableMissing || d.Args.Subject != tt.names || d.Args.Variable != tt.first {
			t.Errorf("%q: %+v, want %q and %q", tt.output, d, tt.names, tt.first)
		}
	}
}

// @azure/mcp could not create its folder, and named the variable for another folder. goated told
// the user to set that variable.
func TestRefusedFolderComesBeforeAVariableThatNamesAnother(t *testing.T) {
	t.Parallel()
	folder := sandbox.Permission{Kind: sandbox.ToWrite, Path: "/home/ann/.net"}
	f := Facts{
		Failure: StartFailed, Err: errors.New("exit status 159"), Command: Command{Script: script}, Exit: Exit{Ended: true, Code: 159},
		Output: "Failed to create default extraction directory [/home/ann/.net]. Permission denied\nDOTNET_BUNDLE_EXTRACT_BASE_DIR is not set, and a read-write cache directory couldn't be created.",
		Needs:  []sandbox.Permission{folder},
	}
	if d := Find(f); d.Cause != AccessRefused || d.Args.Permission != folder {
		t.Errorf("%+v", d)
	}
	f.Needs[0].Path = "/home/ann/.other"
	if d := Find(f); d.Cause != VariableMissing {
		t.Errorf("a folder that nothing names is the cause: %+v", d)
	}
}

// A diagnosis offers a command that ends another program only if the user gave the server the port.
// The server's output could name any port.
func TestPort(t *testing.T) {
	t.Parallel()
	f := Facts{Failure: StartFailed, Command: Command{Script: script}, Output: "Error: listen EADDRINUSE: address already in use 127.0.0.1:8080"}
	f.Machine = on(map[string]string{script: "os.environ.get('NOTES_PORT')"})
	f.Machine.PID = 7
	f.Machine.Listener = func(port string) Process {
		if port != "8080" {
			return Process{}
		}
		return Process{"caddy", 42}
	}
	if d := Find(f); d.Cause != PortTaken || d.Args.Subject != "8080" || d.Args.Owner.PID != 42 || d.Args.Variable != "NOTES_PORT" || d.Args.Commands != nil {
		t.Errorf("%+v", d)
	}
	f.Args = []string{"--port=8080"}
	if d := Find(f); fmt.Sprint(d.Args.Commands) != "[[kill 42]]" {
		t.Errorf("given by the user: %+v", d)
	}
	f.Args, f.Env = []string{"18080"}, []string{"PORT=80801"}
	if d := Find(f); d.Args.Commands != nil {
		t.Errorf("other numbers: %+v", d)
	}
	f.Env, f.Machine.PID = []string{"PORT=8080"}, 42
	if d := Find(f); d.Args.Commands != nil {
		t.Errorf("goated would end itself: %+v", d)
	}
}

func TestRefusedBySandbox(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		need    sandbox.Permission
		want    Cause
		subject string
	}{
		{sandbox.Permission{Kind: sandbox.ToRead, Path: "/x"}, AccessRefused, "/x"},
		{sandbox.Permission{Kind: sandbox.ToHost, Host: "a.test"}, HostRefused, "a.test"},
		{sandbox.Permission{Kind: sandbox.ToNetwork}, NetworkRefused, ""},
	} {
		d := Find(Facts{Failure: StartFailed, Needs: []sandbox.Permission{tt.need}, Output: "Permission denied"})
		if d.Cause != tt.want || d.Args.Subject != tt.subject || d.Args.Permission != tt.need {
			t.Errorf("%+v", d)
		}
	}
}

// A server that Linux killed at its memory limit did not crash, whatever it wrote before.
func TestMemoryOfAllProcesses(t *testing.T) {
	more := sandbox.Permission{Kind: sandbox.ToLimit, Limit: limit.Memory, Amount: 16 << 30}
	f := Facts{Failure: Exited, Exit: Exit{Ended: true, Code: -1, Signal: "killed", OutOfMemory: true}, Needs: []sandbox.Permission{more}, Memory: 4 << 30, Output: "Error: EACCES: permission denied", Stderr: true}
	if d := Find(f); d.Cause != LimitReached || d.Args.Permission != more || d.Args.Subject != "memory" {
		t.Errorf("%+v", d)
	}
	f.Needs = nil // the limit is already the highest
	if d := Find(f); d.Cause != OutOfMemory || d.Args.Memory != 4<<30 {
		t.Errorf("%+v", d)
	}
	f.OutOfMemory, f.Output, f.Stderr = false, "", false
	if d := Find(f); d.Cause != Killed {
		t.Errorf("%+v", d)
	}
}
