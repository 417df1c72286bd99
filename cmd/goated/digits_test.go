package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mirrorPy is a server that returns a call's arguments as it received them.
const mirrorPy = `import sys, json, re
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m:
        continue
    result = None
    if m["method"] == "initialize":
        result = '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"m","version":"1"}}'
    elif m["method"] == "tools/list":
        result = '{"tools":[{"name":"mirror","inputSchema":{"type":"object"}}]}'
    elif m["method"] == "tools/call":
        args = re.search(r'"arguments":(\{.*?\})', line).group(1)
        result = '{"content":[],"structuredContent":' + args + '}'
    if result is None:
        print('{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}' % json.dumps(m["id"]), flush=True)
    else:
        print('{"jsonrpc":"2.0","id":%s,"result":%s}' % (json.dumps(m["id"]), result), flush=True)
`

// The arguments of "goated call" reach the server with every digit, and its result reaches the
// terminal with every digit.
func TestCallKeepsEveryDigit(t *testing.T) {
	p := newPlace(t)
	script := filepath.Join(p.home, "mirror.py")
	if err := os.WriteFile(script, []byte(mirrorPy), 0o600); err != nil {
		t.Fatal(err)
	}
	const args = `{"id":1234567890123456789,"price":1.10,"tiny":1E-7}`
	for _, more := range [][]string{nil, {"--json"}} {
		out, aside, code := p.run(append([]string{"call", "mirror", "--args", args, "--yes", "--no-bundled", "--server", script}, more...)...)
		for _, digits := range []string{"1234567890123456789", "1.10", "1E-7"} {
			if code != 0 || !strings.Contains(out, digits) {
				t.Errorf("%v: status %d, no %s in %s\n%s", more, code, digits, out, aside)
			}
		}
	}
}

// "goated history" makes, lists and restores a backup.
func TestHistoryIsRestored(t *testing.T) {
	p := newPlace(t)
	if out, aside, code := p.run("chat", "-p", "remember tea as green", "--yes"); code != 0 {
		t.Fatalf("status %d, %s%s", code, out, aside)
	}
	backup, aside, code := p.run("history", "backup")
	if code != 0 || strings.TrimSpace(backup) == "" {
		t.Fatalf("status %d, %s%s", code, backup, aside)
	}
	history := filepath.Join(p.home, ".local", "share", "goated", "history.db")
	if err := os.Truncate(history, 0); err != nil {
		t.Fatal(err)
	}
	if _, aside, _ := p.run("chats"); !strings.Contains(aside, "0 bytes") || !strings.Contains(aside, "goated history restore") {
		t.Errorf("an emptied history is reported as %s", aside)
	}
	if out, aside, code := p.run("history", "restore"); code != 0 || !strings.Contains(out, strings.TrimSpace(backup)) {
		t.Errorf("status %d, %s%s", code, out, aside)
	}
	if out, _, _ := p.run("chats"); !strings.Contains(out, "tea") {
		t.Errorf("the conversations are %s", out)
	}
}
