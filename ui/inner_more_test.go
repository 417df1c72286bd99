package ui

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"goated/agent"
	"goated/client"
	"goated/internal/sandbox"
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
	d.connect()
	d.connector.path.SetText(script)
	test.Tap(d.button("Connect"))
}
