package ui

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/client"
	"goated/internal/config"
	"goated/internal/sandbox"
	"goated/internal/store"
	"goated/ui/transcript"
)

type decided struct {
	decision agent.Decision
	err      error
}

// approve asks on a goroutine, as a session does.
func approve(d *desk, ctx context.Context, tool string) chan decided {
	out := make(chan decided, 1)
	go func() {
		decision, err := d.dialogs.Approve(ctx, agent.ToolCalled{Tool: tool, Server: "files", Args: map[string]any{"path": "/etc/" + tool}})
		out <- decided{decision, err}
	}()
	return out
}

// anyhow lets servers run in tests where the system has no sandbox.
func anyhow(context.Context, string, client.Config) bool { return true }

// said waits until the only server has written text.
func (d *desk) said(text string) {
	d.t.Helper()
	d.until("the server says "+text, func() bool {
		s := d.options.Host.Snapshot().Servers
		return len(s) == 1 && s[0].Status == client.Connected && strings.Contains(strings.Join(s[0].Stderr, "\n"), text)
	})
}

// diaryServer is the echo server, which first reads a file elsewhere.
func diaryServer(t *testing.T) (script, diary string) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	source, err := os.ReadFile("testdata/echo.py")
	if err != nil {
		t.Fatal(err)
	}
	diary = filepath.Join(t.TempDir(), "diary.txt")
	if err := os.WriteFile(diary, []byte("dear diary"), 0o600); err != nil {
		t.Fatal(err)
	}
	script = filepath.Join(t.TempDir(), "diarist.py")
	read := "import sys\nprint('it says', open(" + quotedPython(diary) + ").read(), file=sys.stderr, flush=True)\n"
	if err := os.WriteFile(script, append([]byte(read), source...), 0o600); err != nil {
		t.Fatal(err)
	}
	return script, diary
}

func quotedPython(s string) string { return "'" + strings.ReplaceAll(s, "'", `\'`) + "'" }

// connectTo connects a server by its path.
func (d *desk) connectTo(script string) {
	d.t.Helper()
	d.Connect()
	d.Connector.Path.SetText(script)
	test.Tap(d.button("Connect"))
}

func archive(t *testing.T) (*store.Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "history.db")
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, path
}

// keeping is a window over a history.
func keeping(t *testing.T, s *store.Store) *desk {
	t.Helper()
	d := newDesk(t, Options{History: s, NewSession: sessions(script(echo))})
	d.show()
	return d
}

// says sends a message and waits until the turn is kept.
func (d *desk) says(text string) {
	d.t.Helper()
	d.Composer.Input.SetText(text)
	press(d.Composer.Input, fyne.KeyReturn)
	d.settled()
}

// settled waits until no turn is under way and the last one was read again.
func (d *desk) settled() {
	d.t.Helper()
	d.until("the turn is kept", func() bool {
		c := d.Conversation()
		n := len(c.Thread.Turns)
		return d.idle() && !c.Read.Loading && c.Saved.ID != "" && n > 0 && c.Thread.Turns[n-1].ID == c.Saved.Active && c.Thread.End == len(c.Chat.Items)
	})
}

// texts are what was said in the conversation that is shown.
func (d *desk) texts() (all []string) {
	for _, item := range d.Transcript.View.Items {
		all = append(all, transcript.SourceOf(item))
	}
	return all
}

// history is what the model would be told, as texts.
func (d *desk) history() (all []string) {
	for _, c := range d.Conversation().Session.History() {
		for _, p := range c.Parts {
			all = append(all, p.Text)
		}
	}
	return all
}

func (d *desk) command(t *testing.T, id string) command {
	t.Helper()
	for _, c := range d.commands() {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("there is no command %q", id)
	return command{}
}

func textResult(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// kept is a place for settings that remembers the last.
type kept struct {
	mu   sync.Mutex
	last config.Settings
	n    int
}

func (k *kept) save(s config.Settings) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last, k.n = s, k.n+1
	return nil
}
