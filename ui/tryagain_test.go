package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/agent"
	"goated/agent/offline"
	"goated/client"
	"goated/internal/sandbox"
	"goated/ui"
)

// readServer returns a server whose tool reads a file.
func readServer(t testing.TB, file string) string {
	t.Helper()
	source, err := os.ReadFile(echoServer(t))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(source), `"content": [{"type": "text", "text": text}]`, `"content": [{"type": "text", "text": open("`+file+`").read()}]`, 1)
	text = strings.Replace(text, `{"name": "echo", "version"`, `{"name": "reader", "version"`, 1)
	text = strings.Replace(text, "    result = answer(", "    try: result = answer(", 1)
	text = strings.Replace(text, "    reply = {", "    except OSError as e: result = {'content': [{'type': 'text', 'text': str(e)}], 'isError': True}\n    reply = {", 1)
	script := filepath.Join(t.TempDir(), "reader.py")
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return script
}

// A call fails because the sandbox denies access to a file. After the user allows the file,
// goated asks whether to try again. Before, the failed answer stayed, and nothing suggested
// another try.
func TestAnAllowedCallCanBeTriedAgain(t *testing.T) {
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	diary := filepath.Join(t.TempDir(), "diary.txt")
	if err := os.WriteFile(diary, []byte("dear diary"), 0o600); err != nil {
		t.Fatal(err)
	}
	host := client.New(client.Options{Unconfined: unconfined})
	t.Cleanup(host.Close)
	s, _ := archive(t)
	d := hosted(t, ui.Options{Host: host, History: s, Agent: ui.AgentOptions{NewSession: func() *agent.Session { return &agent.Session{Model: &offline.Model{}, Tools: host} }}})
	d.connect(readServer(t, diary))
	d.server("runs", func(s client.Server) bool { return s.Status == client.Connected })
	d.closeSheets()
	d.send(`/echo {"message": "x"}`)
	d.sees("Allow this call?")
	d.answers("Allow")
	d.sees("reader wants to read " + diary)
	d.answers("Allow for this server")
	d.sees("reader has the permission now.")
	d.answers("Try again")
	d.sees("Allow this call?")
	d.answers("Allow")
	d.sees("dear diary")
	if d.Reads("Try again") {
		t.Error("the question is still open")
	}
}
