//go:build unix

package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/sandbox"
	"goated/internal/waittest"
)

// talker writes a server that uses no library. Its tool echo returns the name of the server and its
// arguments. draw returns an image of 3,000 bytes. wait reports progress and a line of its log, and
// answers after three seconds.
func (p *place) talker(name string) string {
	p.t.Helper()
	image := base64.StdEncoding.EncodeToString(make([]byte, 3000))
	return p.write(name+".py", fmt.Sprintf(`import json, os, sys, time
def say(m): print(json.dumps({"jsonrpc": "2.0", **m}), flush=True)
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    method, params, result = m["method"], m.get("params") or {}, None
    if method == "initialize":
        result = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}, "logging": {}}, "serverInfo": {"name": "talker", "version": "1"}}
    elif method == "tools/list":
        result = {"tools": [{"name": n, "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}, "text": {"type": "string"}}}} for n in ("echo", "draw", "wait")]}
    elif method == "tools/call":
        content = [{"type": "text", "text": "%s says " + json.dumps(params.get("arguments"))}]
        if params["name"] == "draw": content.append({"type": "image", "mimeType": "image/png", "data": "%s"})
        if params["name"] == "wait":
            say({"method": "notifications/message", "params": {"level": "info", "data": "half of it"}})
            say({"method": "notifications/progress", "params": {"progressToken": params["_meta"]["progressToken"], "progress": 1, "total": 2, "message": "on the way"}})
            time.sleep(3)
            print("the token is", os.environ.get("TOKEN"), file=sys.stderr, flush=True)
        result = {"content": content}
    if result is None: say({"id": m["id"], "error": {"code": -32601, "message": "no such method"}})
    else: say({"id": m["id"], "result": result})
`, name, image))
}

// saved saves talkers under these names.
func (p *place) saved(names ...string) {
	p.t.Helper()
	for _, name := range names {
		if out, aside, code := p.run("servers", "add", "--name", name, p.talker(name)); code != 0 {
			p.t.Fatalf("status %d\n%s%s", code, out, aside)
		}
	}
}

// If a tool of the server given by --server was off, a call ran the tool of another saved server
// and started all servers.
func TestCallLooksOnlyAtTheServersItIsGiven(t *testing.T) {
	p := newPlace(t)
	p.saved("one", "two")
	p.run("tools", "--no-bundled") // now goated knows their tools
	if out, aside, code := p.run("servers", "tool", "one", "echo", "off"); code != 0 {
		t.Fatalf("status %d\n%s%s", code, out, aside)
	}
	out, aside, code := p.run("call", "echo", "--yes", "--server", "one")
	if code != 1 || strings.Contains(out, "two says") || !strings.Contains(aside, "echo of one is off. Turn it on with: goated servers tool one echo on") {
		t.Errorf("a tool that is off: status %d\n%s%s", code, out, aside)
	}
	if out, aside, code := p.run("call", "echo", "--yes", "--server", "two"); code != 0 || !strings.Contains(out, "two says") {
		t.Errorf("by its name: status %d\n%s%s", code, out, aside)
	}
	if out, aside, code := p.run("call", "echo", "--yes", "--server", filepath.Join(p.project, "two.py")); code != 0 || !strings.Contains(out, "two says") {
		t.Errorf("by its path: status %d\n%s%s", code, out, aside)
	}
	p.write("one.py", "import nosuchmodule")
	out, aside, code = p.run("tools", "--server", "two")
	if code != 0 || strings.Contains(out+aside, "one") || strings.Contains(out, "ghost") || !strings.Contains(out, "echo") {
		t.Errorf("tools: status %d\n%s%s", code, out, aside)
	}
	if out, aside, code := p.run("tools"); code != 1 || !strings.Contains(out, "ghost") || !strings.Contains(out, "one · did not start") {
		t.Errorf("without --server: status %d\n%s%s", code, out, aside)
	}
}

// If the start of the server failed, the call also reported that no server has its tool.
func TestAFailedStartIsSaidOnce(t *testing.T) {
	p := newPlace(t)
	_, aside, code := p.run("call", "echo", "--yes", "--server", p.write("crash.py", "import nosuchmodule"))
	if code != 1 || !strings.Contains(aside, "nosuchmodule") || strings.Contains(aside, "not found in any connected server") {
		t.Errorf("status %d\n%s", code, aside)
	}
	_, aside, code = p.run("call", "eco", "--yes", "--server", p.talker("one"))
	if code != 1 || !strings.Contains(aside, "not found in any connected server") || !strings.Contains(aside, `"goated tools" lists the tools`) || strings.Contains(aside, "its page") {
		t.Errorf("a tool that no server has: status %d\n%s", code, aside)
	}
}

// A terminal printed images as base64. Now it describes them, and --output saves them.
func TestImagesOfACall(t *testing.T) {
	p := newPlace(t)
	script := p.talker("one")
	s, end := p.screen("call", "draw", "--yes", "--no-bundled", "--server", script)
	s.wait("one says {}")
	s.wait("image/png, 3.0 kB. To save it, add --output DIR")
	if code := end(); code != 0 || strings.Contains(s.seen(), "AAAAAAAA") {
		t.Errorf("status %d\n%s", code, s.seen())
	}
	for _, name := range []string{"draw-1.png", "draw-2.png"} { // they do not replace each other
		out, aside, code := p.run("call", "draw", "--yes", "--no-bundled", "--server", script, "--output", "pictures")
		if code != 0 || !strings.Contains(out, "image/png, 3.0 kB, saved as pictures/"+name) {
			t.Errorf("status %d\n%s%s", code, out, aside)
		}
		if data, err := os.ReadFile(filepath.Join(p.project, "pictures", name)); err != nil || len(data) != 3000 {
			t.Errorf("%s has %d bytes, %v", name, len(data), err)
		}
	}
	if out, _, _ := p.run("call", "draw", "--yes", "--no-bundled", "--server", script); !strings.Contains(out, "AAAAAAAA") {
		t.Errorf("scripts get %s", out)
	}
}

// Arguments come from the command line, a file or stdin. The error about wrong ones shows correct
// ones.
func TestArgumentsOfACall(t *testing.T) {
	p := newPlace(t)
	script := p.talker("one")
	call := func(args ...string) (string, string, int) {
		return p.run(append([]string{"call", "echo", "--yes", "--no-bundled", "--server", script}, args...)...)
	}
	p.write("args.json", `{"text": "from a file"}`)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--args", "@args.json"}, `{"text": "from a file"}`},
		{[]string{"--arg", "text=5=6", "--arg", "n=12345678901234567890"}, `{"n": 12345678901234567890, "text": "5=6"}`},
	} {
		if out, aside, code := call(c.args...); code != 0 || !strings.Contains(out, c.want) {
			t.Errorf("%q: status %d\n%s%s", c.args, code, out, aside)
		}
	}
	cmd := p.command(t.Context(), "call", "echo", "--yes", "--no-bundled", "--server", script, "--args", "-")
	cmd.Stdin = strings.NewReader(`{"text": "from stdin"}`)
	if out, err := cmd.Output(); err != nil || !strings.Contains(string(out), `{"text": "from stdin"}`) {
		t.Errorf("stdin: %v, %s", err, out)
	}
	for _, c := range [][2]string{{"text: hi", `it is wrong from "ext: hi" on`}, {`{"text": "hi"`, "its end is missing"}, {`["hi"]`, "and this is a list"}, {"", "it is empty"}} {
		_, aside, code := call("--args", c[0])
		if code != 1 || !strings.Contains(aside, c[1]) || !strings.Contains(aside, `--args '{"text": "hi"}'`) || strings.Contains(aside, "invalid character") {
			t.Errorf("%q: status %d\n%s", c[0], code, aside)
		}
	}
}

// In a terminal, a call shows its progress, and with -v the log of the server. Ctrl+C stops it like
// a chat.
func TestProgressAndEndOfACall(t *testing.T) {
	p := newPlace(t)
	script := p.talker("one")
	s, end := p.screen("call", "wait", "--yes", "--no-bundled", "--server", script)
	s.wait("… wait 50 % on the way")
	_, _ = io.WriteString(s.tty, "\x03")
	s.wait("goated: You stopped it.")
	if code := end(); code != 130 || strings.Contains(s.seen(), "context canceled") {
		t.Errorf("status %d\n%s", code, s.seen())
	}
	_, aside, code := p.run("call", "wait", "--yes", "-v", "--no-bundled", "--server", script, "--env", "TOKEN=sk-hush-4711")
	if code != 0 || !strings.Contains(aside, "  | half of it") || !strings.Contains(aside, "\n  | the token is [secret]\n") || strings.Contains(aside, "4711") {
		t.Errorf("status %d\n%s", code, aside)
	}
	p.write("sleep.py", "import os, time\nopen(os.path.join(os.environ['STATE_DIRECTORY'], 'runs'), 'w')\ntime.sleep(60)\n")
	s, end = p.screen(p.with("tools", "--no-bundled", "--server", filepath.Join(p.project, "sleep.py"))...)
	waittest.Until(t, "the server runs", func() bool {
		runs, err := filepath.Glob(filepath.Join(p.home, "D", "servers", "sleep-*", "files", "runs"))
		return err == nil && len(runs) > 0
	})
	_, _ = io.WriteString(s.tty, "\x03")
	s.wait("goated: You stopped it.")
	if code := end(); code != 130 {
		t.Errorf("tools: status %d\n%s", code, s.seen())
	}
}

// The list of tools has the name that calls and commands accept as its heading.
func TestToolsAreHeadedByTheNameThatWorks(t *testing.T) {
	p := newPlace(t)
	out, aside, code := p.run("tools", "--server", p.talker("logs"))
	if code != 0 || !strings.HasPrefix(out, "logs · 3 tools\n") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
	p.saved("sc")
	if out, aside, code := p.run("servers", "add", "--name", "sc-2", p.talker("sc")); code != 0 {
		t.Fatalf("status %d\n%s%s", code, out, aside)
	}
	list, _, _ := p.run("servers", "list")
	out, aside, code = p.run("tools", "--no-bundled")
	if code != 0 || !strings.Contains(list, "sc-2 ") || !strings.Contains(out, "sc-2 · 3 tools") {
		t.Errorf("status %d\n%s%s%s", code, list, out, aside)
	}
	if out, aside, code := p.run("call", "sc-2__echo", "--yes", "--server", "sc-2"); code != 0 || !strings.Contains(out, "sc says") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
	if out, aside, code := p.run("servers", "remove", "sc-2"); code != 0 {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
}

// A chat in a terminal lost images, because it left them to a card, which a terminal does not have.
func TestImagesOfAChat(t *testing.T) {
	p := newPlace(t)
	out, aside, code := p.run("chat", "-p", "/draw", "--yes", "--no-bundled", "--server", p.talker("one"))
	if code != 0 || !strings.Contains(aside, "  image/png, 3.0 kB. This call saves such results: goated call one__draw --output DIR\n") || strings.Contains(out, "card") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
}

// The advice about a permission treated a server from pasted JSON as a saved one, and did not work.
func TestAdviceOnPermissionsWorks(t *testing.T) {
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	p := newPlace(t)
	data := filepath.Join(p.home, "data.txt")
	if err := os.WriteFile(data, []byte("the data"), 0o600); err != nil {
		t.Fatal(err)
	}
	script := p.write("reader.py", fmt.Sprintf(`import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    result = {"tools": [{"name": "read", "inputSchema": {"type": "object"}}]}
    if m["method"] == "initialize":
        result = {"protocolVersion": m["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "reader", "version": "1"}}
    if m["method"] == "tools/call":
        try: result = {"content": [{"type": "text", "text": open(%q).read()}]}
        except OSError as e: result = {"isError": True, "content": [{"type": "text", "text": str(e)}]}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": result}), flush=True)
`, data))
	text := fmt.Sprintf(`{"mcpServers":{"rd":{"command":"python3","args":[%q]}}}`, script)
	call := []string{"call", "read", "--yes", "--server", text}
	if out, aside, code := p.run(call...); code == 0 || !strings.Contains(aside, "To allow it, write --allow-read "+data+" after its --server\n") {
		t.Fatalf("status %d\n%s%s", code, out, aside)
	}
	if out, aside, code := p.run(append(call, "--allow-read", data)...); code != 0 || !strings.Contains(out, "the data") {
		t.Errorf("by the advice: status %d\n%s%s", code, out, aside)
	}
	p.run("servers", "add", text)
	if out, aside, code := p.run("call", "read", "--yes", "--server", "rd"); code == 0 || !strings.Contains(aside, "To allow it, use --server rd --allow-read "+data+"\n") {
		t.Errorf("a saved one: status %d\n%s%s", code, out, aside)
	}
}
