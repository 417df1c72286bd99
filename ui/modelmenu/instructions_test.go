package modelmenu

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/ui/internal/pagetest"
)

// The limit of instructions counted bytes, although its message names characters.
func TestTheLimitOfInstructionsCountsCharacters(t *testing.T) {
	d := pagetest.New(t, false, fyne.NewSize(800, 800))
	saved := 0
	const field = "Such as: Answer in short sentences. I work in UTC+1."
	s := Instructions(d.Shell.Clock, "", "", func(string, string) { saved++ }, func() {})
	d.Window.SetContent(s.Root)
	d.Window.Resize(fyne.NewSize(800, 800))
	d.Enter(field, strings.Repeat("ä", 8000))
	if d.Press("Save"); saved != 1 {
		t.Errorf("8,000 characters are rejected: %q", d.Find("8,000"))
	}
	d.Enter(field, strings.Repeat("ä", 8001))
	if d.Press("Save"); saved != 1 || !d.Says("At most 8,000 characters") {
		t.Error("8,001 characters are accepted")
	}
}
