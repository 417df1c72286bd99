package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/geminitest"
)

// goated inspect shows the handshake of a server, even if the server fails.
func TestInspect(t *testing.T) {
	p := newPlace(t)
	out, aside, code := p.run("inspect", "--no-bundled", "--server", p.dice(""))
	if code != 0 || !strings.Contains(out, "tools/list") || !strings.Contains(out, " ok") || !strings.Contains(out, "No tool was called.") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
	out, aside, code = p.run("inspect", "--no-bundled", "--server", p.write("crash.py", "print('hello')\nimport nosuchmodule"))
	if code != 1 || !strings.Contains(out, "not a message: hello") || !strings.Contains(aside, "ModuleNotFoundError") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
}

// --trace stores what a model's turn sends and receives, without the key.
func TestTraceOfATurn(t *testing.T) {
	p := newPlace(t)
	s := geminitest.New(t)
	s.Script(geminitest.Turn(geminitest.Calls(geminitest.Call("dice__roll", map[string]any{"sides": 1.0}))), geminitest.Text("A 1."))
	p.env = append(p.env, "GEMINI_API_KEY="+geminitest.DefaultKey, "GOOGLE_GEMINI_BASE_URL="+s.URL)
	file := filepath.Join(p.project, "trace.json")
	if out, aside, code := p.run("chat", "-p", "roll", "--yes", "--no-bundled", "--server", p.dice(""), "--trace", file); code != 0 {
		t.Fatalf("status %d\n%s%s", code, out, aside)
	}
	data, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(data), geminitest.DefaultKey) || !json.Valid(data) {
		t.Fatalf("%v\n%s", err, data)
	}
	out, aside, code := p.run("inspect", file)
	if code != 0 || strings.Count(out, "streamGenerateContent") != 4 || strings.Count(out, "tools/call roll") != 2 || !strings.Contains(out, "100.0 %") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
	if out, _, _ := p.run("inspect", file, "--commands"); out != `goated call roll --args '{"sides":1}' --server `+filepath.Join(p.project, "dice.py")+"\n" {
		t.Errorf("%s", out)
	}
	if _, aside, code := p.run("inspect", file, "--server", "./dice.py"); code != 1 || !strings.Contains(aside, "not both. To see one server of the file, write --of NAME") {
		t.Errorf("a file and a server: status %d, %s", code, aside)
	}
	if _, aside, code := p.run("tools", "--trace", "/no/such/folder/x"); code != 1 || !strings.Contains(aside, "--trace /no/such/folder/x") {
		t.Errorf("status %d, %s", code, aside)
	}
}

// The commands of stored calls did not connect the server, so they did not work.
func TestCommandsOfStoredCallsConnectTheirServer(t *testing.T) {
	p := newPlace(t)
	script := p.dice("")
	trace := filepath.Join(p.project, "t.json")
	if out, aside, code := p.run("call", "roll", "--arg", "sides=1", "--yes", "--server", script, "--trace", trace); code != 0 {
		t.Fatalf("status %d\n%s%s", code, out, aside)
	}
	out, aside, code := p.run("inspect", trace, "--commands")
	if want := "goated call roll --args '{\"sides\":1}' --server " + script + "\n"; code != 0 || out != want {
		t.Errorf("status %d, %q, want %q\n%s", code, out, want, aside)
	}
}
