//go:build unix

package client_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/sandbox"
	"goated/internal/servertest"
	"goated/internal/wording"
)

// similar are failures that are tested only in the long form. Either package diagnose tests
// them with the same words of the interpreter, or another failure here has the same cause.
var similar = []string{
	"python parses", "python data", "python by itself", "node pattern", "node evaluates",
	"node constant", "go panic", "go syntax", "go that is none", "python port", "node mistake of an import",
}

// mistakes are failures that no sandbox can cause. Their servers run without one, which saves a
// repetition of the failed start and halves the start time of Node.
var mistakes = []string{
	"node syntax", "node variable", "node constant", "node pattern", "node evaluates", "node mistake of a module", "node mistake of an import",
	"node mistake of a file", "node says so only", "python constant", "python mistake of a module", "python evaluates", "python parses",
	"python by itself", "segfault",
}

// Servers fail in the usual ways under the real interpreters. Each diagnosis has the right
// cause, arguments and remedy.
func TestDiagnoses(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() })
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "module_of_home.py"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	port := strconv.Itoa(taken.Addr().(*net.TCPAddr).Port)
	// This file is all that today's SDK still has of the older one. The rest of the SDK takes
	// seconds to start. Only with an __init__.py does Python find the script's mcp before the
	// SDK.
	older, err := filepath.Glob("../.tools/venv/lib/python3*/site-packages/mcp/server/fastmcp.py")
	if err != nil || len(older) != 1 {
		t.Fatalf("%q, %v", older, err)
	}
	fastMCP, err := os.ReadFile(older[0])
	if err != nil {
		t.Fatal(err)
	}
	const complains = "import sys\nprint(\"ModuleNotFoundError: No module named 'uvloop'\", file=sys.stderr, flush=True)\n"
	for i, tt := range []struct {
		name, file, text string
		mode             os.FileMode
		cause            diagnose.Cause
		detail, fix      string
		open, why        string // the file to look into; a part of the sentence
	}{
		{"python module", "a.py", "import yaml_of_nobody.sub\n", 0o600, diagnose.PythonModule, "yaml_of_nobody", "", "", ""},
		{"an older SDK", "a.py", "from mcp.server.fastmcp import FastMCP\n", 0o600, diagnose.OlderLibrary, "", "", "", "written for another version"},
		{"python syntax", "a.py", "x = 1\ndef f(:\n  pass\n", 0o600, diagnose.SyntaxError, "a.py:2", "", "a.py", ""},
		{"python file", "a.py", "open('/no/such/file')\n", 0o600, diagnose.FileMissing, "/no/such/file", "", "", ""},
		{"python port", "a.py", "import socket\nsocket.socket().bind(('127.0.0.1', " + port + "))\n", 0o600, diagnose.PortTaken, "", "", "", ""},
		{"python without network", "a.py", "import socket\nsocket.create_connection(('127.0.0.1', " + port + "))\n", 0o600, diagnose.HostRefused, "127.0.0.1:" + port, "", "", ""},
		{"python without a host", "a.py", "import urllib.request\nurllib.request.urlopen('http://weather.invalid/')\n", 0o600, diagnose.HostRefused, "weather.invalid", "", "", ""},
		{"node without network", "a.js", "require('net').createServer().listen(" + port + ", '127.0.0.1')\n", 0o600, diagnose.NetworkRefused, "", "", "", ""},
		{"node serves HTTP", "a.js", "require('http').createServer().listen(3456, '127.0.0.1')\n", 0o600, diagnose.HTTPServer, "", "", "a.js", "It is an HTTP server"},
		{"a folder that is not its", "a.py", "import os\nos.listdir('" + home + "')\n", 0o600, diagnose.AccessRefused, home, "", "", ""},
		{"python module in such a folder", "a.py", "import sys\nsys.path.insert(0, '" + home + "')\nimport module_of_home\n", 0o600, diagnose.AccessRefused, home, "", "", "does not allow that"},
		{"python with many files", "a.py", "all = [open('/dev/null') for _ in range(9000)]\n", 0o600, diagnose.LimitReached, "open files", "", "", "reached the limit of open files"},
		{"python variable", "a.py", "import os\nos.environ['WEATHER_API_KEY']\n", 0o600, diagnose.VariableMissing, "WEATHER_API_KEY", "", "", ""},
		{"python that is none", "a.py", "print('hello, world')\n", 0o600, diagnose.EndedEarly, "", "", "a.py", ""},
		{"node package", "a.js", "require('@nobody/nothing/sub')\n", 0o600, diagnose.NodePackage, "@nobody/nothing/sub", "", "", ""},
		{"node file", "a.js", "require('./dist/index.js')\n", 0o600, diagnose.BuildMissing, "./dist/index.js", "", "a.js", ""},
		{"node syntax", "a.js", "function (\n", 0o600, diagnose.SyntaxError, "a.js:1", "", "a.js", "syntax error in a.js:1: Function statements"},
		{"node port", "a.js", "require('net').createServer().listen(" + port + ", '127.0.0.1')\n", 0o600, diagnose.PortTaken, port, "", "", ""},
		{"node variable", "a.js", "console.error('Error: GITHUB_TOKEN is not set'); process.exit(1)\n", 0o600, diagnose.VariableMissing, "GITHUB_TOKEN", "", "", ""},
		{"python constant", "a.py", "MAX_ENTRIES = 1\nclass Cache:\n    def reset(self, n): raise TypeError('no')\nCache().reset(MAX_ENTRIES)\n", 0o600, diagnose.UncaughtError, "a.py:3", "", "a.py", "TypeError: no"},
		{"node constant", "a.js", "const MAX_ENTRIES = 1, required = n => { throw new TypeError('no') }\nrequired(MAX_ENTRIES)\n", 0o600, diagnose.UncaughtError, "a.js:1", "", "a.js", "TypeError: no"},
		{"go syntax", "a.go", "package main\n\nfunc main( {\n}\n", 0o600, diagnose.CompileError, "a.go:3", "", "a.go", ""},
		{"go that is none", "a.go", "package main\n\nfunc main() {}\n", 0o600, diagnose.EndedEarly, "", "", "a.go", ""},
		{"bad shebang", "program", "#!/no/such/interpreter\n", 0o700, diagnose.InterpreterMissing, "", "", "program", ""},
		{"no program", "program", "\x00\x01 nothing\n", 0o700, diagnose.WrongFormat, "", "", "", ""},
		{"not allowed", "program", "#!/bin/sh\n", 0o600, diagnose.ProgramForbidden, "", "chmod u+rx", "", ""},
		{"not to be read", "a.py", "", 0, diagnose.ScriptUnreadable, "", "chmod u+r", "", ""},
		{"segfault", "a.py", "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n", 0o600, diagnose.Crashed, "segmentation fault", "", "", ""},
		{"python mistake of a module", "a.py", "import b\n", 0o600, diagnose.SyntaxError, "b.py:2", "", "b.py", "There is a syntax error in b.py:2: "},
		{"python evaluates", "a.py", "x = 1\neval('1 +')\n", 0o600, diagnose.UncaughtError, "a.py:2", "", "a.py", "SyntaxError"},
		{"python parses", "a.py", "import ast\nast.parse('x = (')\n", 0o600, diagnose.UncaughtError, "a.py:2", "", "a.py", "SyntaxError"},
		{"python data", "a.py", "import json\n\ndef load():\n    return json.loads('<html>')\n\nload()\n", 0o600, diagnose.UncaughtError, "a.py:4", "", "a.py", "json.decoder.JSONDecodeError: Expecting value"},
		{"python by itself", "a.py", "raise SyntaxError('mine')\n", 0o600, diagnose.UncaughtError, "a.py:1", "", "a.py", "SyntaxError: mine"},
		{"node data", "a.js", "const f = () => JSON.parse('<html>')\nf()\n", 0o600, diagnose.UncaughtError, "a.js:1", "", "a.js", "is not valid JSON"},
		{"node pattern", "a.js", "\nnew RegExp('(')\n", 0o600, diagnose.UncaughtError, "a.js:2", "", "a.js", "Invalid regular expression"},
		{"node evaluates", "a.js", "eval('(((')\n", 0o600, diagnose.UncaughtError, "a.js:1", "", "a.js", "SyntaxError"},
		{"node mistake of a module", "a.js", "require('./b.js')\n", 0o600, diagnose.SyntaxError, "b.js:2", "", "b.js", "There is a syntax error in b.js:2: "},
		{"node mistake of an import", "a.js", "import('./b.mjs')\n", 0o600, diagnose.SyntaxError, "b.mjs:2", "", "b.mjs", "There is a syntax error in b.mjs:2: "},
		{"node mistake of a file", "a.js", "require('./b.json')\n", 0o600, diagnose.SyntaxError, "b.json", "", "b.json", "There is a syntax error in b.json: "},
		{"node says so only", "a.js", "console.error('SyntaxError: of a page'); process.exit(1)\n", 0o600, diagnose.EndedWithOutput, "", "", "", "Its last output may say why"},
		{"go panic", "a.go", "package main\n\nfunc main() {\n\tvar m map[string]int\n\tm[\"a\"] = 1\n}\n", 0o600, diagnose.UncaughtError, "a.go:5", "", "a.go", "assignment to entry in nil map"},
		{"python memory", "a.py", "x = bytearray(1 << 44)\n", 0o600, diagnose.LimitReached, "memory", "", "", "reached the limit of memory"},
		{"floods, without uvloop", "a.py", complains + "while True: print('\\n' * 10000, end='')\n", 0o600, diagnose.Flood, "", "", "a.py", "floods its stdout"},
		{"floods in UTF-16", "a.py", complains + "line = 'hi\\n'.encode('utf-16-le')\nsys.stdout.buffer.write(line)\nwhile True: print('\\n' * 10000, end='')\n", 0o600, diagnose.Flood, "", "", "a.py", "floods its stdout"},
		{"noise, without uvloop", "a.py", complains + "while True: print('not a message')\n", 0o600, diagnose.NotMCP, "not a message", "", "a.py", "something other than MCP"},
		{"killed", "a.py", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", 0o600, diagnose.Killed, "", "", "", "because memory ran out"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && i%4 > 0 {
				t.Skip("another interpreter, which the race detector does not see")
			}
			if slices.Contains(similar, tt.name) && !servertest.Long() {
				t.Skip("a similar end: GOATED_LONG=1 runs it")
			}
			if tt.mode == 0 && os.Getuid() == 0 {
				t.Skip("root reads everything")
			}
			dir := t.TempDir()
			path := filepath.Join(dir, tt.file)
			if err := os.WriteFile(path, []byte(tt.text), tt.mode); err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{"b.py": "x = 1\ny = \"a\" +\n", "b.js": "\nlet let = 1\n", "b.mjs": "\nlet let = 1\n", "b.json": "{bad", "mcp/__init__.py": "", "mcp/server/__init__.py": "", "mcp/server/fastmcp.py": string(fastMCP)} {
				at := filepath.Join(dir, filepath.FromSlash(name))
				if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at, []byte(text), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			h := host(t, client.Options{})
			began := time.Now()
			c := client.Config{Path: path, Bundled: tt.file == "program", NoSandbox: slices.Contains(mistakes, tt.name)}
			if tt.cause == diagnose.PortTaken {
				c.Grant.Network = sandbox.AnyNetwork
			}
			_, err := h.Connect(t.Context(), c)
			var e *client.Error
			if !errors.As(err, &e) || e.Report == nil {
				t.Fatalf("the error has no diagnosis: %v", err)
			}
			d := e.Report
			if d.Cause != tt.cause || tt.detail != "" && d.Args.Subject != tt.detail {
				t.Errorf("%v\n%+v\nwant %q, %q", err, d, tt.cause, tt.detail)
			}
			if !slices.ContainsFunc(d.Command, func(arg string) bool { return strings.HasSuffix(arg, tt.file) }) {
				t.Errorf("the command is %q", d.Command)
			}
			var fix []string
			for _, c := range d.Args.Commands {
				fix = append(fix, strings.Join(c, " "))
			}
			if all := strings.Join(fix, "\n"); (tt.fix == "") != (all == "") || !strings.Contains(all, tt.fix) {
				t.Errorf("the commands are %q, want %q", all, tt.fix)
			}
			if why := wording.CauseText(d.Diagnosis); why == "" || !strings.Contains(why, tt.why) {
				t.Errorf("the sentence is %q, want %q", why, tt.why)
			}
			if open := d.Args.Open; open != "" && filepath.Base(open) != tt.open || open == "" && tt.open != "" {
				t.Errorf("it opens %q, want %q", open, tt.open)
			}
			if tt.cause == diagnose.VariableMissing && d.Args.Variable != tt.detail {
				t.Errorf("the variable is %q", d.Args.Variable)
			}
			if tt.file == "program" && late(time.Since(began), 200*time.Millisecond) {
				t.Errorf("the diagnosis took %v", time.Since(began))
			}
			if advice := wording.Advice(err); advice == "" || advice != wording.Remedy(d.Diagnosis) {
				t.Errorf("the advice is %q, want %q", advice, wording.Remedy(d.Diagnosis))
			}
		})
	}
}

// goated finds programs that are only on the PATH of the login shell.
func TestLoginPath(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	bin := filepath.Join(home, "tools")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	chatty := filepath.Join(home, "sh")
	write(t, chatty, []byte("#!/bin/sh\nPATH="+bin+":/usr/bin:/bin\nexport PATH\neval \"$4\"\n"))

	// This program is only on the PATH of the login shell.
	programs, _ := servertest.Programs(t)
	real := filepath.SplitList(programs)[1] // the folder of Node
	if err := os.Symlink(filepath.Join(real, "node"), filepath.Join(bin, "node")); err != nil {
		t.Fatal(err)
	}
	h := host(t, client.Options{Process: client.ProcessOptions{LoginPath: true}, Env: append(servertest.Environ(t), "PATH="+t.TempDir(), "HOME="+home, "SHELL="+chatty)})
	connect(t, h, client.Config{Path: servertest.Dice()})
	for _, v := range h.Environment("dice") {
		if v.Name == "PATH" && !strings.HasPrefix(v.Value, bin+":") {
			t.Errorf("the server's PATH is %q", v.Value)
		}
	}

	// The login shell does not know the active environment, and has another Python.
	active := filepath.SplitList(programs)[0]
	write(t, filepath.Join(bin, "python3"), []byte("#!/bin/sh\necho the wrong Python >&2\nexit 1\n"))
	h = host(t, client.Options{Process: client.ProcessOptions{LoginPath: true},
		Env: append(servertest.Environ(t), "PATH="+active+":/usr/bin:/bin", "VIRTUAL_ENV="+filepath.Dir(active), "HOME="+home, "SHELL="+chatty)})
	script := filepath.Join(t.TempDir(), "a.py")
	source := "import importlib.util, sys\nif not importlib.util.find_spec('mcp'): sys.exit('it has no SDK')\n" + servertest.Small(t) + "\nMCPServer('a').run()\n"
	if err := os.WriteFile(script, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	connect(t, h, client.Config{Path: script})
}
