//go:build unix

package client_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/client"
	"goated/internal/servertest"
)

// crashing returns a server whose tool "roll" runs a statement in the server's language.
func crashing(t *testing.T, name, statement string) string {
	t.Helper()
	text := strings.ReplaceAll(die("x"), `        r = {"content": [{"type": "text", "text": "x"}]}`, "        "+statement)
	if filepath.Ext(name) == ".js" {
		text = `require("readline").createInterface({ input: process.stdin }).on("line", line => {
  const m = JSON.parse(line)
  let r
  if (m.method === "initialize") r = { protocolVersion: m.params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "dice", version: "1" } }
  else if (m.method === "tools/list") r = { tools: [{ name: "roll", inputSchema: { type: "object" } }] }
  else if (m.method === "tools/call") { ` + statement + ` }
  else if (m.id === undefined) return
  const answer = { jsonrpc: "2.0", id: m.id }
  if (r) answer.result = r; else answer.error = { code: -32601, message: "no" }
  console.log(JSON.stringify(answer))
})
`
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// If the server exits during a call, the call's error explains how and why, like the server's
// card.
func TestACrashInACallSaysWhy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file, statement string
		want                  string
	}{
		{"exit status and stderr", "dice.py", `import os; print("Traceback (most recent call last):\nZeroDivisionError: boom", file=sys.stderr, flush=True); os._exit(3)`, "exit status 3: ZeroDivisionError: boom"},
		{"an uncaught error", "dice.py", `1 / 0`, "exit status 1: ZeroDivisionError: division by zero"},
		{"stdout ends before stderr", "dice.py", `import os, time; os.close(1); time.sleep(0.2); sys.stderr.write("late words\n"); sys.stderr.flush(); os._exit(4)`, "exit status 4: late words"},
		{"no words", "dice.py", `sys.exit(5)`, "exit status 5"},
		{"killed", "dice.py", `import os; os.kill(os.getpid(), 9)`, "signal: killed; memory may have run out"},
		{"a crash", "dice.py", `import os; os.kill(os.getpid(), 11)`, "signal: segmentation fault"},
		{"no memory", "dice.py", `x = bytearray(1 << 62)`, "exit status 1: MemoryError"},
		{"a secret", "dice.py", `import os; os.write(2, ("bad token " + os.environ["TOKEN"] + "\n").encode()); os._exit(3)`, "exit status 3: bad token "},
		{"Node, an uncaught error", "dice.js", `throw new TypeError("boom")`, "exit status 1: TypeError: boom"},
		{"Node, a refused promise", "dice.js", `Promise.reject(new Error("no dice")); return`, "exit status 1: Error: no dice"},
		{"Node, no memory", "dice.js", `const all = []; for (;;) all.push(new Array(100000).fill(all.length))`, "JavaScript heap out of memory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := host(t, client.Options{Env: servertest.Environ(t)})
			const secret = "s3cr3t-value-of-a-token"
			id := connect(t, h, client.Config{Path: crashing(t, c.file, c.statement), NoSandbox: true, Env: []string{"TOKEN=" + secret, "NODE_OPTIONS=--max-old-space-size=30"}})
			_, err := h.Call(t.Context(), id+"__roll", nil, nil)
			var e *client.Error
			if !errors.As(err, &e) || e.Kind != client.ErrDisconnected || !strings.HasPrefix(err.Error(), "Server disconnected during execution: ") || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("the call says %q, not %q", err, c.want)
			}
			if strings.Contains(err.Error()+strings.Join(e.Logged(), "\n"), secret) { // the history stores both
				t.Errorf("it has the secret: %q, %q", err, e.Logged())
			}
			if e.Report == nil || e.Report.Exit == "" {
				t.Errorf("it has no diagnosis: %+v", e)
			}
		})
	}
	for mode, want := range map[string]string{
		"panic": "exit status 2: panic: boom", "segv": "exit status 2: SIGSEGV: segmentation violation", "closes-stdout": "its stdout", "noise": "other than MCP messages",
	} {
		t.Run("Go, "+mode, func(t *testing.T) {
			t.Parallel()
			h := host(t, client.Options{})
			id := connect(t, h, misbehave(t, mode))
			if _, err := h.Call(t.Context(), id+"__one", nil, nil); !errors.Is(err, client.ErrDisconnected) || !strings.Contains(err.Error(), want) {
				t.Errorf("the call says %q, not %q", err, want)
			}
		})
	}
}
