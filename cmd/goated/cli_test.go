package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goated/agent"
	"goated/internal/geminitest"
	"goated/internal/servertest"
)

func events(t *testing.T, lines string) []agent.Event {
	t.Helper()
	var all []agent.Event
	for line := range strings.Lines(lines) {
		e, err := agent.DecodeEvent([]byte(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, e)
	}
	return all
}

// returned returns the results of tools in the output of "--json".
func returned(t *testing.T, lines string) (all []agent.ToolReturned) {
	t.Helper()
	for _, e := range events(t, lines) {
		if r, ok := e.(agent.ToolReturned); ok {
			all = append(all, r)
		}
	}
	return all
}

// This is the main task, without a key and a display: words cause a real call of a real server,
// which returns the real files.
func TestChatListsTheFiles(t *testing.T) {
	p := newPlace(t)
	out, aside, code := p.run("--data", filepath.Join(p.home, "D"), "chat", "-p", "list the files in .", "--yes", "--json")
	if code != 0 {
		t.Fatalf("status %d\n%s%s", code, out, aside)
	}
	var called, returned bool
	for _, e := range events(t, out) {
		switch e := e.(type) {
		case agent.ToolCalled:
			called = e.Tool == "read_project_context" && e.Server == "ghost"
		case agent.ToolReturned:
			data, _ := json.Marshal(e.Result)
			returned = strings.Contains(string(data), "hello.txt") && strings.Contains(string(data), "sub")
		}
	}
	if !called || !returned {
		t.Errorf("called %v, returned %v\n%s", called, returned, out)
	}
}

// The same with a server of one's own in Go. TestReadmeServers has the other languages.
func TestChatWithOwnServers(t *testing.T) {
	p := newPlace(t)
	out, aside, code := p.run("chat", "-p", "multiply 6 and 7", "--yes", "--data", servertest.GoData(t), "--no-history", "--server", servertest.Script("simple.go"))
	if code != 0 || !strings.Contains(out, "- product: 42") {
		t.Errorf("simple.go: status %d, %q\n%s", code, out, aside)
	}
}

// This is a whole turn with a model over HTTP, through two servers.
func TestChatWithGemini(t *testing.T) {
	p := newPlace(t)
	s := geminitest.New(t)
	s.Script(
		geminitest.Turn(geminitest.Text("Let me look."), geminitest.Calls(
			geminitest.Call("ghost__read_project_context", map[string]any{"directoryPath": "."}),
			geminitest.Call("dice__roll", map[string]any{"sides": 1.0}),
		)),
		geminitest.Text("There is hello.txt, ", "and a 1."),
	)
	p.env = append(p.env, "GEMINI_API_KEY="+geminitest.DefaultKey, "GOOGLE_GEMINI_BASE_URL="+s.URL)
	out, aside, code := p.run("chat", "-p", "look around and roll", "--yes", "--server", p.dice(""))
	if code != 0 || !strings.Contains(out, "There is hello.txt, and a 1.") {
		t.Errorf("status %d, %q\n%s", code, out, aside)
	}
	responses := s.Requests()[1].Contents[2].Parts
	if got := responses[0].FunctionResponse.Response["output"].(string); !strings.Contains(got, "hello.txt") {
		t.Errorf("first response %q", got)
	}
	if got := responses[1].FunctionResponse.Response["output"]; got != "1" {
		t.Errorf("second response %q", got)
	}
	s.Done()
}

func TestModels(t *testing.T) {
	p := newPlace(t)
	if _, aside, code := p.run("models"); code != 1 || !strings.Contains(aside, "GEMINI_API_KEY") {
		t.Errorf("without a key: status %d, %s", code, aside)
	}
	s := geminitest.New(t)
	p.env = append(p.env, "GEMINI_API_KEY="+geminitest.DefaultKey, "GOOGLE_GEMINI_BASE_URL="+s.URL)
	out, aside, code := p.run("models")
	if code != 0 || !strings.Contains(out, "* gemini-flash-latest ") || !strings.Contains(out, "gemini-2.5-flash        1M  $0.30 / $2.50") {
		t.Errorf("status %d, %s%s", code, out, aside)
	}
	if out, _, _ := p.run("models", "--model", "gemini-pro-latest"); !strings.Contains(out, "* gemini-pro-latest ") {
		t.Errorf("another model: %s", out)
	}
}

// Without --yes and without a user, only tools that only read can run.
func TestNobodyToAsk(t *testing.T) {
	p := newPlace(t)
	out, aside, code := p.run("chat", "-p", "remember tea as green")
	if code != 1 || !strings.Contains(out, "I can't ask you here") {
		t.Errorf("status %d, %q\n%s", code, out, aside)
	}
	if _, _, code := p.run("chat", "-p", "list the files in ."); code != 0 {
		t.Errorf("reading: status %d", code)
	}
	if _, aside, code := p.run("call", "manage_memory", "--args", `{"action":"write","key":"a","value":"b"}`); code != 1 || !strings.Contains(aside, "--yes") {
		t.Errorf("call: status %d, %s", code, aside)
	}
	if out, aside, _ := p.run("call", "manage_memory", "--args", `{"action":"read","key":"a"}`); strings.Contains(aside, "--yes") {
		t.Errorf("recalling asks: %s, %s", out, aside)
	}
}

// A saved memory is available at the next start.
func TestMemoryLasts(t *testing.T) {
	p := newPlace(t)
	if out, aside, code := p.run("chat", "--yes", "-p", "remember coffee as flat white"); code != 0 {
		t.Fatalf("status %d %s%s", code, out, aside)
	}
	out, _, code := p.run("chat", "--yes", "-p", "what do you remember about coffee?")
	if code != 0 || !strings.Contains(out, "flat white") {
		t.Errorf("status %d, %q", code, out)
	}
	if _, err := os.Stat(filepath.Join(p.home, ".local", "share", "goated", "clippy_memory.json")); err != nil {
		t.Errorf("not under the XDG data folder: %v", err)
	}
	if found, _ := filepath.Glob(filepath.Join(p.project, "clippy*")); len(found) > 0 {
		t.Errorf("left in the project: %v", found)
	}
}

// A memory can be deleted, but only with the user's consent.
func TestMemoryCanBeForgotten(t *testing.T) {
	p := newPlace(t)
	if out, aside, code := p.run("chat", "--yes", "-p", "remember coffee as flat white"); code != 0 {
		t.Fatalf("status %d %s%s", code, out, aside)
	}
	file := filepath.Join(p.home, ".local", "share", "goated", "clippy_memory.json")
	if out, _, code := p.run("chat", "-p", "forget coffee"); code != 1 || !strings.Contains(out, "I can't ask you here") {
		t.Errorf("nobody allowed it: status %d, %q", code, out)
	}
	if got, err := os.ReadFile(file); err != nil || !strings.Contains(string(got), "flat white") {
		t.Errorf("forgotten without consent: %s, %v", got, err)
	}
	out, _, code := p.run("chat", "--yes", "-p", "forget what I said about my coffee")
	if code != 0 || !strings.Contains(out, "Memory removed: coffee = flat white") {
		t.Errorf("status %d, %q", code, out)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "{}\n" {
		t.Errorf("the memory is %s, %v", got, err)
	}
}

// The first note creates the desktop folder if there is none, even inside the sandbox.
func TestDesktopIsMade(t *testing.T) {
	p := newPlace(t)
	out, aside, code := p.run("call", "haunt_desktop", "--args", `{"filename":"a.txt","content":"boo"}`, "--yes")
	if code != 0 {
		t.Errorf("status %d, %s%s", code, out, aside)
	}
	if got, err := os.ReadFile(filepath.Join(p.home, "Desktop", "a.txt")); err != nil || string(got) != "boo" {
		t.Errorf("the note is %q, %v", got, err)
	}
}

// Under any client, ghost saves memories in the folder that the README names.
func TestServedMemoryIsInTheDataFolder(t *testing.T) {
	p := newPlace(t)
	server := served(t, p, "ghost")
	server(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"0"}}}`)
	if got := server(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"manage_memory","arguments":{"action":"write","key":"tea","value":"green"}}}`); !strings.Contains(got, "Memory updated") {
		t.Error(got)
	}
	if _, err := os.Stat(filepath.Join(p.home, ".local", "share", "goated", "clippy_memory.json")); err != nil {
		t.Error(err)
	}
}

// served runs a bundled server in the project's folder for a client that sends raw lines. The
// returned function sends a line and returns the next line of the server.
func served(t *testing.T, p *place, name string) func(string) string {
	t.Helper()
	cmd := p.command(context.Background(), "serve", name) // it exits when its input ends
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	return func(line string) string {
		fmt.Fprintln(in, line)
		lines.Scan()
		return lines.Text()
	}
}

func TestExitStatus(t *testing.T) {
	p := newPlace(t)
	for _, tt := range []struct {
		name string
		args []string
		code int
		says string
	}{
		{"no tool fits", []string{"chat", "-p", "how tall is the tower?"}, 1, ""},
		{"wrong extension", []string{"tools", "--server", "x.txt"}, 1, "Invalid server script type. Must be .py, .js or .go"},
		{"no such script, and a tool that fits", []string{"chat", "--yes", "-p", "list the files in .", "--server", "./nofile.py"}, 1, "/nofile.py.\nCheck the path. If the script has moved, "},
		{"no such grant", []string{"grants", "revoke", "nope"}, 1, "No grant has the ID nope"},
		{"no such script", []string{"chat", "-p", "x", "--server", "/no/x.py"}, 1, "Server script not found: /no/x.py"},
		{"crash", []string{"tools", "--server", p.write("crash.py", "import nosuchmodule")}, 1, "ModuleNotFoundError"},
		{"no such tool", []string{"call", "nope"}, 1, "Tool 'nope' not found in any connected server"},
		{"bad arguments", []string{"call", "manage_memory", "--args", "[1]"}, 1, "--args must be a JSON object"},
		{"a tool's own failure", []string{"call", "read_project_context", "--args", `{"directoryPath":"nope"}`}, 1, ""},
		{"no such server", []string{"serve", "nope"}, 1, `goated has no bundled server "nope". Choose one of: ghost`},
		{"json without -p", []string{"chat", "--json"}, 1, "--json needs -p"},
		{"no such command", []string{"nope"}, 1, `goated has no command "goated nope"`},
	} {
		out, aside, code := p.run(tt.args...)
		if code != tt.code || !strings.Contains(aside, tt.says) {
			t.Errorf("%s: status %d, want %d\n%s%s", tt.name, code, tt.code, out, aside)
		}
	}
}

func TestTools(t *testing.T) {
	p := newPlace(t)
	out, _, code := p.run("tools", "--json", "--with", "ghost", "--server", p.dice(""))
	var tools []struct {
		Name, Server, Tool string
		InputSchema        map[string]any
	}
	if err := json.Unmarshal([]byte(out), &tools); err != nil || code != 0 || len(tools) != 6 {
		t.Fatalf("status %d, %v, %d tools\n%s", code, err, len(tools), out)
	}
	if tools[0].Name != "dice__roll" || tools[0].InputSchema["type"] != "object" {
		t.Errorf("%+v", tools[0])
	}
	if out, _, _ := p.run("tools", "--no-bundled", "--json"); strings.TrimSpace(out) != "[]" {
		t.Errorf("without the bundled: %s", out)
	}
	out, _, _ = p.run("tools", "--no-bundled", "--server", p.rename("raw.py", "dup.py"))
	if !strings.Contains(out, "dup · 2 tools") { // the server calls itself raw
		t.Errorf("%s", out)
	}
}

// rename links a test script under another name.
func (p *place) rename(script, name string) string {
	path := filepath.Join(p.project, name)
	if err := os.Symlink(servertest.Script(script), path); err != nil {
		p.t.Fatal(err)
	}
	return path
}

// A tool is called by its own name if that is unique, and otherwise by its qualified name.
func TestCall(t *testing.T) {
	p := newPlace(t)
	one, two := p.rename("raw.py", "one.py"), p.rename("raw.py", "two.py")
	if out, aside, code := p.run("call", "one", "--yes", "--server", one); code != 0 || out != "done\n" {
		t.Errorf("status %d, %q %s", code, out, aside)
	}
	if _, aside, code := p.run("call", "one", "--yes", "--server", "python3 "+one+" duplicates"); code != 1 || !strings.Contains(aside, `can't be called. The server offers 2 tools named "one"`) {
		t.Errorf("an uncallable tool: status %d, %s", code, aside)
	}
	if _, aside, code := p.run("call", "one", "--yes", "--server", one, "--server", two); code != 1 || !strings.Contains(aside, "Choose one of: one__one, two__one") {
		t.Errorf("status %d, %s", code, aside)
	}
	out, aside, code := p.run("call", "two__one", "--yes", "--json", "--server", one, "--server", two)
	if code != 0 || !json.Valid([]byte(out)) || !strings.Contains(out, `"done"`) {
		t.Errorf("status %d, %q %s", code, out, aside)
	}
}

func TestHelpShowsExamples(t *testing.T) {
	p := newPlace(t)
	for _, args := range [][]string{{}, {"chat"}, {"chats"}, {"tools"}, {"call"}, {"serve"}, {"doctor"}, {"models"}, {"key"}, {"key", "set"}, {"key", "clear"}} {
		out, _, code := p.run(append(slices.Clone(args), "--help")...)
		if code != 0 || !strings.Contains(out, "Examples:\n  goated") {
			t.Errorf("%v: status %d\n%s", args, code, out)
		}
	}
	if out, _, code := p.run("completion", "bash"); code != 0 || !strings.Contains(out, "goated") {
		t.Errorf("completion: status %d", code)
	}
	if out, _, _ := p.run("__complete", "serve", ""); !strings.Contains(out, "ghost") {
		t.Errorf("completing serve: %s", out)
	}
}

// goated reports settings that it cannot read, and does not change them.
func TestBadSettings(t *testing.T) {
	p := newPlace(t)
	data := filepath.Join(p.home, "D")
	path := filepath.Join(data, "settings.json")
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`{"callTimeout": "soon"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, aside, code := p.run("--data", data, "tools")
	if code != 0 || !strings.Contains(aside, path) {
		t.Errorf("status %d, %s", code, aside)
	}
	if aside, _ := filepath.Glob(path + ".corrupt-*"); len(aside) != 1 {
		t.Errorf("set aside: %v", aside)
	}
	if err := os.WriteFile(path, []byte(`{"callTimeout": "1ms"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, code = p.run("--data", data, "tools")
	if code != 0 {
		t.Errorf("good settings: status %d", code)
	}
	kept, _ := os.ReadFile(path)
	if string(kept) != `{"callTimeout": "1ms"}` {
		t.Errorf("settings became %s", kept)
	}
}

// The help of each command ended with the 22 flags for servers and models, even for commands that
// ignore them. So the command's own flags were hard to find. The description of -v said that it
// prints a server's output, for every command.
func TestHelpLeavesOutWhatDoesNothing(t *testing.T) {
	p := newPlace(t)
	for _, c := range []struct{ command, has, hasNot string }{
		{"chats", "--data --verbose --json", "--server --allow-memory --max-steps writes"},
		{"servers add", "--name --env --allow-host --data", "--server --max-steps --model writes"},
		{"models", "--endpoint --model", "--allow-host"},
		{"call", "--server --allow-host --call-timeout --model", ""},
	} {
		out, aside, code := p.run(append(strings.Fields(c.command), "--help")...)
		words := strings.Fields(out[max(strings.Index(out, "\nFlags:"), 0):])
		for _, flag := range strings.Fields(c.has) {
			if !slices.Contains(words, flag) {
				t.Errorf("%s: status %d, no %s in\n%s%s", c.command, code, flag, out, aside)
			}
		}
		for _, flag := range strings.Fields(c.hasNot) {
			if slices.Contains(words, flag) {
				t.Errorf("%s: status %d, %s in\n%s%s", c.command, code, flag, out, aside)
			}
		}
	}
}
