//go:build unix

package ui_test

import (
	"strings"
	"testing"

	"goated/client"
	"goated/internal/errtext"
	"goated/ui/view"
)

// A server that prints lines that are not messages is stopped and does not restart by itself.
// The card explains this and what to do, and the badge counts the lines.
func TestQuarantineIsExplained(t *testing.T) {
	p := newPatient(t, "for n in range(1200): print('[DEBUG] listening', n, flush=True)", false, client.Options{})
	s := p.failed()
	for _, text := range []string{
		errtext.Sentence(s.Err.Error()),
		"Check that the script is an MCP server, and make it print to stderr instead.",
		view.QuarantineNote(s.Err),
	} {
		if p.Count(text) != 1 {
			t.Errorf("the card says %d times: %s", p.Count(text), text)
		}
	}
	if p.Reads("It writes something other than MCP to its stdout.") {
		t.Error("the card says twice what happened")
	}
	badge := view.NonMessageNote(s)
	if s.Noise.Lines < 1000 || !strings.HasSuffix(badge, "lines on stdout were not messages") || !strings.HasPrefix(s.Noise.Last, "[DEBUG] listening ") {
		t.Fatalf("%+v: %s", s.Noise, badge)
	}
	p.Hover(badge)
	p.beats(6)
	if !p.Reads("MCP uses stdout. Make the server print to stderr instead. Last line: " + s.Noise.Last) {
		t.Errorf("the badge does not say what to do: %q", p.Texts())
	}
	p.Leave()
	if !s.RetryAt.IsZero() {
		t.Errorf("the server restarts at %v", s.RetryAt)
	}
	if !p.Pressable("Open the file") {
		t.Error("the card does not offer to open the script")
	}
	p.write("")
	p.Press("Restart")
	p.healthy()
	p.openConnect()
	if p.Says("lines on stdout were not messages") {
		t.Error("the badge stays")
	}
}
