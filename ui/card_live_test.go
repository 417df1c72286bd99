package ui_test

import (
	"image"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/ui"
	"goated/ui/internal/samples"
	"goated/ui/internal/screentest"
)

// digging returns the events of a call that began at a given time and runs without a known end.
func digging(began time.Time) []agent.Event {
	return []agent.Event{
		agent.ToolCalled{ID: "1", Tool: "dig"},
		agent.ToolDecided{ID: "1", Decision: agent.AllowOnce, At: began},
		agent.ToolProgressed{ID: "1", Progress: 5, Message: "digging"},
	}
}

// The time and the bar of a running call move while its card is visible. They stop while it is
// scrolled out of sight.
func TestCardMovesOnlyWhileItRunsAndIsSeen(t *testing.T) {
	d := newDesk(t, ui.Options{})
	began := d.clock
	d.window.ShowChat(chatOf(append(digging(began), agent.TextDelta{Text: strings.Repeat("line\n\n", 200)})...), true)
	d.scrollToTop()
	at, _, _ := d.Place("dig")
	bar := func() image.Image { // below the line with the name
		return samples.Crop(d.Picture(), image.Rect(int(at.X), int(at.Y)+30, int(at.X)+300, int(at.Y)+60))
	}
	still := bar()
	d.clock = began.Add(3 * time.Second)
	d.beats(1)
	if !d.Reads("3.0 s") {
		t.Errorf("after 3 s the card shows %q", d.transcript())
	}
	if samples.SamePicture(still, bar()) {
		t.Error("the bar does not move")
	}
	d.ScrollAt(chatMiddle, -1e9)
	if d.Reads("3.0 s") {
		t.Fatal("the card is still in sight: the test tells nothing")
	}
	d.clock = began.Add(9 * time.Second)
	d.beats(3)
	d.scrollToTop()
	if !d.Reads("3.0 s") {
		t.Errorf("the card moved while nobody saw it: %q", d.transcript())
	}
	d.beats(1)
	if !d.Reads("9.0 s") {
		t.Errorf("in sight again the card shows %q", d.transcript())
	}
}

// The card of a call that ends flashes once and then rests.
func TestCardFlashesWhenItsCallEnds(t *testing.T) {
	d := newDesk(t, ui.Options{})
	resting := d.window.Ticking()
	ended := append(digging(d.clock), agent.ToolReturned{ID: "1", Duration: 10 * time.Second, Result: textResult("gold")})
	d.window.ShowChat(chatOf(digging(d.clock)...), true)
	d.window.ShowChat(chatOf(ended...), false)
	if !d.Reads("10 s") {
		t.Errorf("at the end the card shows %q", d.transcript())
	}
	quiet := newDesk(t, ui.Options{})
	quiet.window.ShowChat(chatOf(ended[0], ended[1], ended[3]), false) // without progress
	if samples.SamePicture(d.Picture(), quiet.Picture()) {
		t.Error("nothing marks that the call ended")
	}
	d.beats(8) // the length of a flash
	if n := d.window.Ticking(); n != resting {
		t.Errorf("%d parts move, and %d before the call", n, resting)
	}
	if !samples.SamePicture(d.Picture(), quiet.Picture()) {
		t.Error("after the flash the card looks other than one that never moved")
	}
}

// A node that the user folded stays folded while the tool reports its progress.
func TestProgressKeepsTheTree(t *testing.T) {
	d := newDesk(t, ui.Options{})
	call := []agent.Event{
		agent.ToolCalled{ID: "1", Tool: "dig", Args: map[string]any{"a": map[string]any{"b": 1}}},
		agent.ToolDecided{ID: "1", Decision: agent.AllowOnce},
	}
	d.window.ShowChat(chatOf(call...), true)
	d.Press("dig")
	if !d.Reads("b") {
		t.Fatalf("the arguments are no open tree: %q", d.transcript())
	}
	d.Press("Fold all")
	for i := range 3 {
		call = append(call, agent.ToolProgressed{ID: "1", Progress: float64(i), Total: 3, Message: "line " + string(rune('a'+i))})
		d.window.ShowChat(chatOf(call...), true)
	}
	if !d.Reads("a") || d.Reads("b") {
		t.Error("the tree is open again")
	}
	if !d.Reads("line a\nline b\nline c") || !d.Reads("67 %") {
		t.Errorf("the card shows %q", d.transcript())
	}
}

// A long text on a card keeps its line breaks when Fyne asks for minimum sizes.
func TestCardKeepsItsLines(t *testing.T) {
	d := newDesk(t, ui.Options{})
	line := strings.Repeat("word ", 12)
	d.window.ShowChat(called("read", nil, agent.ToolReturned{ID: "1", Result: textResult(strings.Repeat(line+"\n", 100))}), false)
	d.Press("read")
	if !d.Reads(line) {
		t.Fatalf("a line does not fit: %q", d.transcript())
	}
	before := d.Picture()
	screentest.AskSizes(d.Screen)
	if !d.Reads(line) || !samples.SamePicture(before, d.Picture()) {
		t.Errorf("the lines changed to %q", d.transcript())
	}
}

// The pointer copies the path and the value of a row of a tree, and folds it.
func TestTreeByPointer(t *testing.T) {
	d := newDesk(t, ui.Options{})
	d.window.ShowChat(called("t", map[string]any{"a": map[string]any{"b": []any{"x\ny", 2}}, "c": nil}), true)
	d.Press("t")
	d.Press("Fold all")
	d.Press("a")
	d.Hover("a")
	d.PressIcon("chain")
	if got := d.Clipboard(); got != "$.a" {
		t.Errorf("the path that was copied is %q", got)
	}
	d.PressIcon("copy", 1) // the first copies all arguments
	if got := d.Clipboard(); !strings.HasPrefix(got, "{\n  \"b\": [") {
		t.Errorf("the value that was copied is %q", got)
	}
	if !d.Reads("b") {
		t.Errorf("a press does not open the object: %q", d.transcript())
	}
	d.Press("a")
	if d.Reads("b") {
		t.Errorf("a press does not fold the object: %q", d.transcript())
	}
	d.FocusTree()
	for _, key := range []fyne.KeyName{fyne.KeyDown, fyne.KeyUp, fyne.KeyUp} {
		d.Key(key)
	}
	if got := d.copied(); !strings.HasPrefix(got, "{\n  \"b\": [") {
		t.Errorf("at the top %q was copied", got)
	}
}
