package ui

import (
	"path/filepath"
	"strings"
	"testing"

	"goated/agent"
	"goated/internal/quarantine"
	"goated/internal/wording"
	"goated/ui/kit"
)

// The page of a tool says what the model gets in other words, and why it gets nothing.
func TestToolPageTellsWhatTheModelGets(t *testing.T) {
	for _, schema := range []any{
		map[string]any{"type": "object", "properties": map[string]any{"depth": map[string]any{"type": "integer", "multipleOf": 2}}},
		false,
	} {
		d := newDesk(t, Options{})
		s := toolServers()
		e := s.Servers[0].Tools[0]
		e.Tool.InputSchema = schema
		d.see(s)
		d.servers.OpenServer("filesystem", e.Tool.Name)
		if notes := wording.Declared(agent.Declare(e)); len(notes) != 1 || !d.reads(notes[0]) {
			t.Errorf("the page does not say %q", notes)
		}
	}
}

// The page of a tool that the service of a model refused says why, and until when models
// get nothing of it. A button lets them get it again.
func TestToolPageTellsWhichModelRefusedIt(t *testing.T) {
	refused := quarantine.New(filepath.Join(t.TempDir(), "quarantine.json"))
	d := newDesk(t, Options{Pages: PageOptions{Refused: refused}})
	s := toolServers()
	e := s.Servers[0].Tools[0]
	if err := refused.Refuse("gemini-3.5-flash", e, "too many states for serving"); err != nil {
		t.Fatal(err)
	}
	d.see(s)
	d.servers.OpenServer("filesystem", e.Tool.Name)
	why := refused.Of(e)[0]
	words := wording.Refused(why.Model, why.Reason, why.At, why.Until())
	if !strings.Contains(words, "The answer was: too many states for serving.") || !d.reads(words) {
		t.Fatalf("the page does not say %q", words)
	}
	d.button("Let models get it again").Tapped(nil)
	d.until("the sentence to go", func() bool { return !d.reads(words) })
	if left := refused.Of(e); len(left) > 0 {
		t.Errorf("still refused: %+v", left)
	}
	if _, ok := find(d, func(b *kit.Button) bool { return b.Text == "Let models get it again" }); ok {
		t.Error("the button stays")
	}
}
