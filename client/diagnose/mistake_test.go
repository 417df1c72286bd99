//go:build unix

package diagnose

import (
	"errors"
	"slices"
	"testing"
)

// project returns a machine with a project in /srv, a library, a folder that the server writes, and
// a link in /srv that leads out of it.
func project() Machine {
	m := on(map[string]string{
		"/srv/server.py": "", "/srv/lib/b.py": "", "/srv/server.js": "", "/srv/b.js": "", "/srv/b.json": "", "/srv/server.go": "", "/srv/x.desktop": "",
		"/srv/link.py": "", "/other/o.py": "", "/srv/data/state/x.py": "",
		"/srv/node_modules/l.js": "", "/usr/lib/python3.12/json/decoder.py": "",
	})
	m.Real = func(path string) (string, error) {
		switch {
		case path == "/srv/link.py":
			return "/other/o.py", nil
		case path == "/srv" || path == "/srv/data" || m.Exists(path):
			return path, nil
		}
		return "", errors.New("no such file")
	}
	return m
}

// A file that is not a valid program has a place and a file to open. So does an error that ended a
// program.
func TestPlaces(t *testing.T) {
	t.Parallel()
	const pySyntax = "  File \"%\", line 2\n    x = (\n        ^\nSyntaxError: '(' was never closed\n"
	const pyError = "Traceback (most recent call last):\n  File \"/srv/server.py\", line 9, in <module>\n    f()\n  File \"%\", line 3, in f\n    x\nValueError: no.\n"
	with := func(text, file string) string { return replaced(text, file) }
	for _, tt := range []struct {
		name, script, output string
		want                 Cause
		subject, text, open  string
	}{
		{"python", "/srv/server.py", with(pySyntax, "/srv/lib/b.py"), SyntaxError, "b.py:2", "'(' was never closed", "/srv/lib/b.py"},
		{"code that the script made", "/srv/server.py", with(pySyntax, "<string>"), EndedWithOutput, "", "", ""},
		{"node", "/srv/server.js", "/srv/b.js:2\nlet let = 1\n    ^^^\n\nSyntaxError: let is disallowed\n    at wrapSafe (node:internal/x:1:1)\n", SyntaxError, "b.js:2", "let is disallowed", "/srv/b.js"},
		{"node by address", "/srv/server.js", "file:///srv/b%2Ejs:2\nlet let = 1\n    ^^^\n\nSyntaxError: no\n    at compile (node:internal/x:1:1)\n", SyntaxError, "b.js:2", "no", "/srv/b.js"},
		{"json", "/srv/server.js", "SyntaxError: /srv/b.json: Expected property name\n    at parse (<anonymous>)\n", SyntaxError, "b.json", "Expected property name", "/srv/b.json"},
		{"go", "/srv/server.go", "# command-line-arguments\n./server.go:3:11: undefined: x\n", CompileError, "server.go:3", "undefined: x", "/srv/server.go"},
		{"go's words in python", "/srv/server.py", "./server.go:3:11: undefined: x\n", EndedWithOutput, "", "", ""},

		{"uncaught", "/srv/server.py", with(pyError, "/srv/lib/b.py"), UncaughtError, "b.py:3", "ValueError: no", "/srv/lib/b.py"},
		{"in a library", "/srv/server.py", with(pyError, "/usr/lib/python3.12/json/decoder.py"), UncaughtError, "server.py:9", "ValueError: no", "/srv/server.py"},
		{"only in a library", "/srv/server.py", "  File \"/usr/lib/python3.12/json/decoder.py\", line 3, in f\nValueError: no\n", UncaughtError, "decoder.py:3", "ValueError: no", "/srv/server.py"},
		{"no file", "/srv/server.py", with("  File \"%\", line 3, in f\nValueError: no\n", "<string>"), EndedWithOutput, "", "", ""},
		{"no error", "/srv/server.py", "  File \"/srv/server.py\", line 3, in f\n", EndedWithOutput, "", "", ""},
		{"the first and the last", "/srv/server.py", "ValueError: first\n" + with(pyError, "/srv/lib/b.py"), UncaughtError, "b.py:3", "ValueError: no", "/srv/lib/b.py"},
		{"uncaught in node", "/srv/server.js", "TypeError: no\n    at f (/srv/node_modules/l.js:1:1)\n    at g (/srv/b.js:4:2)\n    at /srv/server.js:9:1\n", UncaughtError, "b.js:4", "TypeError: no", "/srv/b.js"},
		{"go panic", "/srv/server.go", "panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/server.go:5 +0x1d\n", UncaughtError, "server.go:5", "boom", "/srv/server.go"},

		{"no source", "/srv/server.py", with(pySyntax, "/srv/x.desktop"), SyntaxError, "x.desktop:2", "'(' was never closed", "/srv/server.py"},
		{"a source elsewhere", "/srv/server.py", with(pySyntax, "/other/o.py"), SyntaxError, "o.py:2", "'(' was never closed", "/srv/server.py"},
		{"a link to elsewhere", "/srv/server.py", with(pySyntax, "/srv/link.py"), SyntaxError, "link.py:2", "'(' was never closed", "/srv/server.py"},
		{"a source that the server wrote", "/srv/server.py", with(pySyntax, "/srv/data/state/x.py"), SyntaxError, "x.py:2", "'(' was never closed", "/srv/server.py"},
	} {
		d := Find(Facts{Failure: StartFailed, Command: Command{Script: tt.script, Folder: "/srv"}, State: "/srv/data/state", Output: tt.output, Stderr: true, Machine: project(), Exit: Exit{Ended: true, Code: 1}})
		if d.Cause != tt.want || d.Args.Subject != tt.subject || d.Args.Text != tt.text || d.Args.Open != tt.open {
			t.Errorf("%s: %+v", tt.name, d)
		}
	}
}

// replaced puts file in place of the %.
func replaced(text, file string) string {
	at := slices.Index([]byte(text), '%')
	return text[:at] + file + text[at+1:]
}

// A process that was ended by a signal crashed, whatever error it printed before.
func TestCrashIsNoUncaughtError(t *testing.T) {
	t.Parallel()
	d := Find(Facts{Failure: Exited, Command: Command{Script: "/srv/server.py", Folder: "/srv"}, Machine: project(), Exit: Exit{Ended: true, Code: -1, Signal: "aborted"},
		Output: "  File \"/srv/server.py\", line 3, in f\nValueError: no\n"})
	if d.Cause != Crashed {
		t.Errorf("%+v", d)
	}
}

// The action opens the script by the user's own name for it, rather than by the target of the link.
func TestScriptIsOpenedByItsName(t *testing.T) {
	t.Parallel()
	m := project()
	real := m.Real
	m.Real = func(path string) (string, error) {
		if path == "/home/ada/server.py" {
			return "/srv/server.py", nil
		}
		return real(path)
	}
	d := Find(Facts{Failure: StartFailed, Command: Command{Script: "/home/ada/server.py", Folder: "/srv"}, Machine: m, Exit: Exit{Ended: true, Code: 1},
		Output: "  File \"/srv/server.py\", line 2\n    x = (\nSyntaxError: no\n"})
	if d.Cause != SyntaxError || d.Args.Open != "/home/ada/server.py" {
		t.Errorf("%+v", d)
	}
}

// The actions follow from the cause and its arguments.
func TestActions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		d    Diagnosis
		want []ActionKind
	}{
		{Diagnosis{}, nil},
		{Diagnosis{Cause: ProgramMissing, Args: Args{Page: "https://a.test", Commands: [][]string{{"x"}}}}, []ActionKind{Run, OpenPage}},
		{Diagnosis{Cause: ProgramElsewhere, Args: Args{Found: "/opt"}}, []ActionKind{LookIn}},
		{Diagnosis{Cause: PortTaken}, []ActionKind{EditLaunch}},
		{Diagnosis{Cause: PortTaken, Args: Args{Variable: "PORT"}}, []ActionKind{SetVariable}},
		{Diagnosis{Cause: UncaughtError, Args: Args{Open: "/a.py"}}, []ActionKind{OpenFile, Report}},
		{Diagnosis{Cause: SyntaxError, Args: Args{Open: "/a.py"}}, []ActionKind{OpenFile}},
		{Diagnosis{Cause: ContainerRefused}, []ActionKind{Unconfine}},
		{Diagnosis{Cause: SSHRefused}, []ActionKind{Unconfine}},
	} {
		var got []ActionKind
		for _, a := range tt.d.Actions() {
			got = append(got, a.Kind)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%+v has the actions %v, want %v", tt.d, got, tt.want)
		}
	}
	d := Diagnosis{Cause: PythonModule, Args: Args{Commands: [][]string{{"pip", "install", "x"}}, Dir: "/srv", Found: "/opt"}}
	if a := d.Actions(); a[0].Dir != "/srv" || len(a[0].Commands) != 1 || a[1].Target != "/opt" {
		t.Errorf("%+v", a)
	}
}
