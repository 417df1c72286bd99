package desktopcmd

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"goated/internal/adding"
)

const record = `{"seq":1,"time":"2026-01-02T03:04:05Z","method":"OpenApplication","request":{"id":"editor"},"target":"editor","after":"applications/7 shows the window \"Letter\"","took":1}
{"seq":2,"time":"2026-01-02T03:04:06Z","method":"CreateInput","request":{"parent":"applications/7"},"app":"editor","target":"the window \"Let\u001b[2Jter\"","took":1}
{"seq":3,"time":"2026-01-02T03:04:07Z","method":"CloseWindow","error":"it asks to save","took":1}
{"seq":4,"time":"2026-01-02T03:04:08Z","method":"CreateInput","request":{"input":{"action":{"typeText":{"text":"‹left out›"}}}},"redacted":true,"took":1}
`

// A prompter always gives the same answer.
type prompter struct {
	adding.Prompter
	answer string
	asked  []string
}

func (p *prompter) Says(_ context.Context, _, question string) string {
	p.asked = append(p.asked, question)
	return p.answer
}

func run(t *testing.T, p adding.Prompter, args ...string) (out string, err error) {
	t.Helper()
	data := t.TempDir()
	if err := os.MkdirAll(filepath.Join(data, "desktop"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, "desktop", "journal.jsonl"), []byte(record), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := New(func() string { return data }, func(*cobra.Command) adding.Prompter { return p })
	var b bytes.Buffer
	cmd.SetOut(&b)
	cmd.SetErr(&b)
	cmd.SetArgs(args)
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	err = cmd.ExecuteContext(t.Context())
	return b.String(), err
}

// The list shows each action on one line. An application cannot send control sequences to the
// terminal through it.
func TestListsActions(t *testing.T) {
	out, err := run(t, nil, "actions")
	if err != nil || strings.Count(out, "\n") != 4 || strings.Contains(out, "\x1b") || !strings.Contains(out, "in editor") ||
		!strings.Contains(out, "failed: it asks to save") || !strings.Contains(out, "can't be replayed") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := run(t, nil, "actions", "--actions", "2-3"); err != nil || strings.Count(out, "\n") != 2 {
		t.Errorf("%v\n%s", err, out)
	}
	for _, bad := range []string{"x", "3-2", "0", "1-", "-1"} {
		if _, err := run(t, nil, "actions", "--actions="+bad); err == nil || !strings.Contains(err.Error(), "12-20") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if _, err := run(t, nil, "actions", filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a record that does not exist is read")
	}
}

// replay performs nothing unless it can perform all actions and the user agrees.
func TestReplayAsksFirst(t *testing.T) {
	if _, err := run(t, &prompter{answer: "y"}, "replay", "--yes"); err == nil || !strings.Contains(err.Error(), "action 4") {
		t.Errorf("a record with a secret: %v", err)
	}
	if _, err := run(t, nil, "replay", "--actions", "1-3"); err == nil || !strings.Contains(err.Error(), "--yes") {
		t.Errorf("without a person: %v", err)
	}
	p := &prompter{answer: "n"}
	long := filepath.Join(t.TempDir(), "long")
	if err := os.WriteFile(long, []byte(`{"seq":1,"time":"2026-01-02T03:04:05Z","method":"ExecuteShellCommand","request":{"command":"`+strings.Repeat("x", 5000)+`; end"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := run(t, &prompter{answer: "n"}, "replay", long); err != nil || !strings.Contains(out, "; end") {
		t.Errorf("the user does not see the end of a command: %v\n%.300s", err, out)
	}
	if out, err := run(t, p, "replay", "--actions", "1-3"); err != nil || len(p.asked) != 1 || !strings.Contains(p.asked[0], "2 actions") || strings.Contains(out, "failed") {
		t.Errorf("%v, asked %q\n%s", err, p.asked, out)
	}
	if _, err := run(t, p, "replay", "--actions", "3"); err == nil || !strings.Contains(err.Error(), "no action") {
		t.Errorf("a failed action: %v", err)
	}
}
