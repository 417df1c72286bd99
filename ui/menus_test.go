package ui_test

import (
	"testing"

	"fyne.io/fyne/v2"
)

// A context menu matches the object under the pointer: the code of a listing, the address of a
// link, the text of a card.
func TestMenusOfCodeLinksAndCards(t *testing.T) {
	d := talked(t)
	d.MenuAt(d.Word("x\t:= 1", "x"))
	d.Press("Copy code")
	if got := d.Clipboard(); got != "x\t:= 1" {
		t.Errorf("the code is copied as %q", got)
	}
	at := d.Word("The end, see it (example.org).", "it")
	d.HoverAt(at.AddXY(2, 0))
	d.MenuAt(at.AddXY(2, 0))
	if !d.Reads("Open link") {
		t.Errorf("the menu of a link shows %q", d.Texts())
	}
	d.Press("Copy link")
	if got := d.Clipboard(); got != "https://example.org/x" {
		t.Errorf("the link is copied as %q", got)
	}
	c := troubled(t)
	c.Menu("get_order")
	if !c.Reads("Answer again") && !c.Reads("Copy as Markdown") {
		t.Fatalf("the menu of a card shows %q", c.Texts())
	}
	c.Key(fyne.KeyDown)
	c.Key(fyne.KeyReturn)
	if c.Layers() != 0 || c.Clipboard() == "" {
		t.Errorf("the keyboard copies %q, %d layers", c.Clipboard(), c.Layers())
	}
}
