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
	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// Servers that fail as people's servers do, by the real interpreters: each card
// says why, and what mends it.
func TestDiagnoses(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() })
	home := t.TempDir()
	port := strconv.Itoa(taken.Addr().(*net.TCPAddr).Port)
	const complains = "import sys\nprint(\"ModuleNotFoundError: No module named 'uvloop'\", file=sys.stderr, flush=True)\n"
	for _, tt := range []struct {
		name, file, text string
		mode             os.FileMode
		cause            client.Cause
		detail, mend     string
		open, why        string // the file to look into; a part of the sentence
	}{
		{"python module", "a.py", "import yaml_of_nobody.sub\n", 0o600, client.CauseModule, "yaml_of_nobody", "-m pip install yaml_of_nobody", "", ""},
		{"python syntax", "a.py", "x = 1\ndef f(:\n  pass\n", 0o600, client.CauseSyntax, "a.py:2", "", "a.py", ""},
		{"python file", "a.py", "open('/no/such/file')\n", 0o600, client.CauseFile, "/no/such/file", "", "", ""},
		{"python port", "a.py", "import socket\nsocket.socket().bind(('127.0.0.1', " + port + "))\n", 0o600, client.CausePort, "", "", "", ""},
		{"python without network", "a.py", "import socket\nsocket.create_connection(('127.0.0.1', " + port + "))\n", 0o600, client.CauseNetwork, "127.0.0.1:" + port, "", "", ""},
		{"python without a host", "a.py", "import urllib.request\nurllib.request.urlopen('http://weather.invalid/')\n", 0o600, client.CauseNetwork, "weather.invalid", "", "", ""},
		{"node without network", "a.js", "require('net').createServer().listen(" + port + ", '127.0.0.1')\n", 0o600, client.CauseNetwork, "", "", "", ""},
		{"a folder that is not its", "a.py", "import os\nos.listdir('" + home + "')\n", 0o600, client.CausePermission, home, "", "", ""},
		{"python variable", "a.py", "import os\nos.environ['WEATHER_API_KEY']\n", 0o600, client.CauseVariable, "WEATHER_API_KEY", "", "", ""},
		{"python that is none", "a.py", "print('hello, world')\n", 0o600, client.CauseNotMCP, "", "", "a.py", ""},
		{"node package", "a.js", "require('@nobody/nothing/sub')\n", 0o600, client.CauseModule, "@nobody/nothing/sub", "npm install @nobody/nothing", "", ""},
		{"node file", "a.js", "require('./dist/index.js')\n", 0o600, client.CauseFile, "./dist/index.js", "", "a.js", ""},
		{"node syntax", "a.js", "function (\n", 0o600, client.CauseSyntax, "a.js:1", "", "a.js", "mistake in a.js:1: Function statements"},
		{"node port", "a.js", "require('net').createServer().listen(" + port + ", '127.0.0.1')\n", 0o600, client.CausePort, port, "", "", ""},
		{"node variable", "a.js", "console.error('Error: GITHUB_TOKEN is not set'); process.exit(1)\n", 0o600, client.CauseVariable, "GITHUB_TOKEN", "", "", ""},
		{"python constant", "a.py", "MAX_ENTRIES = 1\nclass Cache:\n    def reset(self, n): raise TypeError('no')\nCache().reset(MAX_ENTRIES)\n", 0o600, client.CauseError, "a.py:3", "", "a.py", "TypeError: no"},
		{"node constant", "a.js", "const MAX_ENTRIES = 1, required = n => { throw new TypeError('no') }\nrequired(MAX_ENTRIES)\n", 0o600, client.CauseError, "a.js:1", "", "a.js", "TypeError: no"},
		{"go syntax", "a.go", "package main\n\nfunc main( {\n}\n", 0o600, client.CauseSyntax, "a.go:3", "", "a.go", ""},
		{"go that is none", "a.go", "package main\n\nfunc main() {}\n", 0o600, client.CauseNotMCP, "", "", "a.go", ""},
		{"bad shebang", "program", "#!/no/such/interpreter\n", 0o700, client.CauseFormat, "", "", "program", ""},
		{"no program", "program", "\x00\x01 nothing\n", 0o700, client.CauseFormat, "", "", "", ""},
		{"not allowed", "program", "#!/bin/sh\n", 0o600, client.CausePermission, "", "chmod u+rx", "", ""},
		{"not to be read", "a.py", "", 0, client.CausePermission, "", "chmod u+r", "", ""},
		{"segfault", "a.py", "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n", 0o600, client.CauseCrash, "segmentation fault", "", "", ""},
		{"python mistake of a module", "a.py", "import b\n", 0o600, client.CauseSyntax, "b.py:2", "", "b.py", "There is a mistake in b.py:2: "},
		{"python evaluates", "a.py", "x = 1\neval('1 +')\n", 0o600, client.CauseError, "a.py:2", "", "a.py", "SyntaxError"},
		{"python parses", "a.py", "import ast\nast.parse('x = (')\n", 0o600, client.CauseError, "a.py:2", "", "a.py", "SyntaxError"},
		{"python data", "a.py", "import json\n\ndef load():\n    return json.loads('<html>')\n\nload()\n", 0o600, client.CauseError, "a.py:4", "", "a.py", "json.decoder.JSONDecodeError: Expecting value"},
		{"python by itself", "a.py", "raise SyntaxError('mine')\n", 0o600, client.CauseError, "a.py:1", "", "a.py", "SyntaxError: mine"},
		{"node data", "a.js", "const f = () => JSON.parse('<html>')\nf()\n", 0o600, client.CauseError, "a.js:1", "", "a.js", "is not valid JSON"},
		{"node pattern", "a.js", "\nnew RegExp('(')\n", 0o600, client.CauseError, "a.js:2", "", "a.js", "Invalid regular expression"},
		{"node evaluates", "a.js", "eval('(((')\n", 0o600, client.CauseError, "a.js:1", "", "a.js", "SyntaxError"},
		{"node mistake of a module", "a.js", "require('./b.js')\n", 0o600, client.CauseSyntax, "b.js:2", "", "b.js", "There is a mistake in b.js:2: "},
		{"node mistake of an import", "a.js", "import('./b.mjs')\n", 0o600, client.CauseSyntax, "b.mjs:2", "", "b.mjs", "There is a mistake in b.mjs:2: "},
		{"node mistake of a file", "a.js", "require('./b.json')\n", 0o600, client.CauseSyntax, "b.json", "", "b.json", "There is a mistake in b.json: "},
		{"node says so only", "a.js", "console.error('SyntaxError: of a page'); process.exit(1)\n", 0o600, client.CauseUnknown, "", "", "", "its last words"},
		{"go panic", "a.go", "package main\n\nfunc main() {\n\tvar m map[string]int\n\tm[\"a\"] = 1\n}\n", 0o600, client.CauseError, "a.go:5", "", "a.go", "assignment to entry in nil map"},
		{"python memory", "a.py", "x = bytearray(1 << 44)\n", 0o600, client.CauseMemory, "", "", "", "ran out of memory"},
		{"floods, without uvloop", "a.py", complains + "while True: print('\\n' * 10000, end='')\n", 0o600, client.CauseFlood, "", "", "a.py", "more than anyone can use"},
		{"floods in UTF-16", "a.py", complains + "line = 'hi\\n'.encode('utf-16-le')\nsys.stdout.buffer.write(line)\nwhile True: print('\\n' * 10000, end='')\n", 0o600, client.CauseFlood, "", "", "a.py", "more than anyone can use"},
		{"noise, without uvloop", "a.py", complains + "while True: print('not a message')\n", 0o600, client.CauseNotMCP, "not a message", "", "a.py", "something else than MCP"},
		{"killed", "a.py", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", 0o600, client.CauseMemory, "", "", "", "for want of memory"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.mode == 0 && os.Getuid() == 0 {
				t.Skip("root reads everything")
			}
			dir := t.TempDir()
			path := filepath.Join(dir, tt.file)
			if err := os.WriteFile(path, []byte(tt.text), tt.mode); err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{"b.py": "x = 1\ny = \"a\" +\n", "b.js": "\nlet let = 1\n", "b.mjs": "\nlet let = 1\n", "b.json": "{bad"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			h := host(t, client.Options{})
			began := time.Now()
			c := client.Config{Path: path, Bundled: tt.file == "program"}
			if tt.cause == client.CausePort {
				c.Grant.Network = sandbox.AnyNetwork
			}
			_, err := h.Connect(t.Context(), c)
			var e *client.Error
			if !errors.As(err, &e) || e.Diagnosis == nil {
				t.Fatalf("it says %v", err)
			}
			d := e.Diagnosis
			if d.Cause != tt.cause || tt.detail != "" && d.Detail != tt.detail || d.Why == "" || d.Remedy == "" {
				t.Errorf("%v\n%+v\nnot %q, %q", err, d, tt.cause, tt.detail)
			}
			if !slices.ContainsFunc(d.Command, func(arg string) bool { return strings.HasSuffix(arg, tt.file) }) {
				t.Errorf("the command is %q", d.Command)
			}
			var mend []string
			for _, c := range d.Mend {
				mend = append(mend, strings.Join(c, " "))
			}
			if all := strings.Join(mend, "\n"); (tt.mend == "") != (all == "") || !strings.Contains(all, tt.mend) {
				t.Errorf("it is mended by %q, not %q", all, tt.mend)
			}
			if !strings.Contains(d.Why, tt.why) {
				t.Errorf("it says %q, not %q", d.Why, tt.why)
			}
			if d.Open != "" && filepath.Base(d.Open) != tt.open || d.Open == "" && tt.open != "" {
				t.Errorf("it opens %q, not %q", d.Open, tt.open)
			}
			if tt.cause == client.CauseVariable && d.Set != tt.detail {
				t.Errorf("it has %q set", d.Set)
			}
			if tt.file == "program" && time.Since(began) > 200*time.Millisecond+slack {
				t.Errorf("it took %v to see that", time.Since(began))
			}
			if client.Advice(err) != d.Remedy {
				t.Errorf("the advice is %q, not %q", client.Advice(err), d.Remedy)
			}
		})
	}
}

// The PATH of a login shell that chatters and leaves a job behind is found, and
// what is only there runs; a shell that hangs is not waited for.
func TestLoginPath(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	bin := filepath.Join(home, "tools")
	nvm := filepath.Join(home, ".nvm", "versions", "node")
	for _, dir := range []string{bin, filepath.Join(nvm, "v9.9.0", "bin"), filepath.Join(nvm, "v22.1.0", "bin"), filepath.Join(home, ".volta", "bin")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	shell := func(text string) string {
		path := filepath.Join(home, "sh-"+strconv.Itoa(len(text)))
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	// As a shell with a profile: it takes -l -i -c.
	chatty := shell("echo welcome back\nsleep 60 &\nPATH=" + bin + ":/usr/bin:/bin\nexport PATH\neval \"$4\"\n")
	began := time.Now()
	got := filepath.SplitList(client.LoginPath(t.Context(), []string{"HOME=" + home, "SHELL=" + chatty, "PATH=/usr/bin:/bin"}))
	if len(got) < 4 || got[0] != bin || got[1] != "/usr/bin" {
		t.Errorf("found %q", got)
	}
	if !slices.Contains(got, filepath.Join(nvm, "v22.1.0", "bin")) || slices.Contains(got, filepath.Join(nvm, "v9.9.0", "bin")) || !slices.Contains(got, filepath.Join(home, ".volta", "bin")) {
		t.Errorf("of the version managers: %q", got)
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("it took %v", took)
	}
	began = time.Now()
	got = filepath.SplitList(client.LoginPath(t.Context(), []string{"HOME=" + home, "SHELL=" + shell("sleep 3600\n")}))
	if took := time.Since(began); took > 5*time.Second+slack || !slices.Contains(got, filepath.Join(home, ".volta", "bin")) {
		t.Errorf("of a shell that hangs: %q after %v", got, took)
	}

	// A program that is there alone.
	programs, _ := servertest.Programs(t)
	real := filepath.SplitList(programs)[1] // node's
	if err := os.Symlink(filepath.Join(real, "node"), filepath.Join(bin, "node")); err != nil {
		t.Fatal(err)
	}
	h := host(t, client.Options{LoginPath: true, Env: append(servertest.Environ(t), "PATH="+t.TempDir(), "HOME="+home, "SHELL="+chatty)})
	connect(t, h, client.Config{Path: servertest.Script("dice.js")})
	for _, v := range h.Environment("dice") {
		if v.Name == "PATH" && !strings.HasPrefix(v.Value, bin+":") {
			t.Errorf("the server's PATH is %q", v.Value)
		}
	}
}
