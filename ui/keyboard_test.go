package ui_test

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/ui"
	"goated/ui/internal/samplechat"
	"goated/ui/internal/screentest"
)

// Tab reaches everything in reading order and wraps around. The focused element is always
// visible and has a focus ring.
func TestTabWalksTheWholeWindow(t *testing.T) {
	layout(t)
	for name, s := range scenes(t) {
		for _, size := range []fyne.Size{{Width: 1280, Height: 840}, {Width: 640, Height: 480}} {
			t.Run(fmt.Sprintf("%s %g", name, size.Width), func(t *testing.T) { s.in(t, ui.Options{}, size).walk() })
		}
	}
}

// walk presses Tab until it reaches a place for the second time.
func (d *desk) walk() {
	d.T.Helper()
	d.Canvas().Unfocus()
	var stops []screentest.Spot
	var first fyne.Focusable
	seen := make(map[fyne.Focusable]bool)
	for range 400 {
		d.Key(fyne.KeyTab)
		o := d.Canvas().Focused()
		if o == nil || seen[o] {
			break
		}
		if seen[o] = true; first == nil {
			first = o
		}
		s, _ := d.Spot()
		if !s.InSight {
			d.T.Errorf("%s is not in sight: at %v, %v large", s.Name, s.At, s.Size)
		}
		if !d.Ringed() && !d.FocusShows() {
			d.T.Errorf("%s shows no ring", s.Name)
		}
		stops = append(stops, s)
	}
	if len(stops) == 0 {
		d.T.Fatal("Tab comes to nothing")
	}
	if d.Canvas().Focused() != first {
		s, _ := d.Spot()
		d.T.Errorf("after %d places Tab goes to %s, and not round to %s", len(stops), s.Name, stops[0].Name)
	}
	for i, s := range stops[1:] {
		before := stops[i]
		area, y := d.area(s)
		areaBefore, yBefore := d.area(before)
		switch {
		case area < areaBefore:
			d.T.Errorf("%s (area %d) comes after %s (area %d)", s.Name, area, before.Name, areaBefore)
		case area == areaBefore && y+s.Size.Height <= yBefore:
			d.T.Errorf("%s lies above %s, and comes after it", s.Name, before.Name)
		}
	}
}

// area returns the part of the window that contains a place, as a number that grows in reading
// order, and the y position within that part. The parts are the sidebar, the header, the
// conversation, what covers it, and the composer. The title of a sheet precedes the names of
// its pages.
func (d *desk) area(s screentest.Spot) (area int, y float32) {
	at, size := d.MainPart()
	left, above := 0, 1
	if d.Layers() > 0 {
		left, above = 1, 0
	}
	switch {
	case s.At.X+s.Size.Width <= at.X+1:
		return left, s.At.Y
	case s.Scrolled:
		return 2, s.At.Y + s.Offset
	case s.At.Y < at.Y:
		return above, s.At.Y
	case s.At.Y < at.Y+size.Height:
		return 3, s.At.Y
	}
	return 4, s.At.Y
}

// A button that was clicked has a focus ring when Tab reaches it later. It once had no ring,
// and was out of sight.
func TestTabShowsARingAfterAPress(t *testing.T) {
	d := newDesk(t, ui.Options{})
	d.window.ShowChat(samplechat.Chat(), false)
	for _, name := range []string{"New chat", "query_range"} {
		d.Press(name)
		d.Canvas().Unfocus()
		for range 40 {
			if d.Key(fyne.KeyTab); d.FocusIsOn(name) {
				break
			}
		}
		if !d.FocusIsOn(name) || !d.Ringed() {
			t.Errorf("Tab shows no ring on %s", name)
		}
		d.window.ShowChat(samplechat.Chat(), false)
	}
}

// Alt and the arrow keys select a message, even from the composer. A selected message has keys.
func TestMessagesHaveKeys(t *testing.T) {
	d := newDesk(t, ui.Options{})
	done := ""
	d.window.ShowActions(func(action string, item int) { done = fmt.Sprint(action, item) })
	chat := samplechat.Chat()
	for range 30 {
		chat = chat.Say("And?").Apply(agent.TextDelta{Text: "So."}).Apply(agent.TurnEnded{Reason: agent.Done})
	}
	d.window.ShowChat(chat, false)
	d.FocusField(composer)
	up := func() { d.Shortcut(fyne.KeyUp, fyne.KeyModifierAlt) }
	const last = 5 + 2*30 - 1 // the items of the sample come first
	up()
	if !d.RingAround("So.", d.Count("So.")-1) {
		t.Fatal("the last message has no ring")
	}
	d.Key(fyne.KeyR)
	if want := fmt.Sprint("again", last); done != want {
		t.Errorf("R does %q, not %q", done, want)
	}
	up()
	d.Key(fyne.KeyE)
	if want := fmt.Sprint("edit", last-1); done != want {
		t.Errorf("E does %q, not %q", done, want)
	}
	d.Key(fyne.KeyDelete)
	if want := fmt.Sprint("delete", last-1); done != want {
		t.Errorf("Delete does %q, not %q", done, want)
	}
	d.Key(fyne.KeyC)
	if got := d.Clipboard(); got != "And?" {
		t.Errorf("C copies %q", got)
	}
	d.Key(fyne.KeyTab)
	if !d.FocusIsOnIcon("copy") || !d.Ringed() {
		s, _ := d.Spot()
		t.Errorf("Tab goes to %s", s.Name)
	}
	done = ""
	if d.Key(fyne.KeyE); done != "" {
		t.Errorf("the message is still chosen, although a button has the focus: E does %q", done)
	}

	up()
	d.Key(fyne.KeyHome)
	for range 5 {
		if d.RingAround("query_range") {
			break
		}
		d.Key(fyne.KeyDown)
	}
	if _, _, seen := d.Place("query_range"); !seen {
		t.Fatal("the card is not in sight")
	}
	d.Key(fyne.KeyReturn)
	if !d.Reads("Arguments") || !d.RingAround("query_range") {
		t.Error("Enter does not open the card, or it is not chosen any more")
	}
	d.Key(fyne.KeyEscape)
	if !d.FieldFocused(composer) || d.RingAround("query_range") {
		t.Error("Escape does not go back to the composer")
	}
}

// The arrow keys move through a list and stay in it.
func TestArrowsWalkThroughLists(t *testing.T) {
	d := newDesk(t, ui.Options{})
	d.run("Settings")
	pages := []string{"Model and key", "Limits", "Appearance", "Approvals", "Servers", "Data"}
	for _, name := range pages[1:] {
		if d.Key(fyne.KeyDown); !d.FocusIsOn(name) {
			t.Fatalf("Down does not go to %s", name)
		}
	}
	if d.Key(fyne.KeyDown); !d.FocusIsOn("Data") {
		t.Error("Down leaves the list")
	}
	d.Key(fyne.KeyUp)
	d.Key(fyne.KeyReturn)
	if !d.Reads("goated's own servers") {
		t.Errorf("the page shows %q", d.Texts())
	}
}
