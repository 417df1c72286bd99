package ui_test

import (
	"testing"

	"goated/ui"
)

// The desktop's menu starts goated in the home folder, where ghost lists no files. The welcome
// and the empty conversation then suggest messages that work there.
func TestExamplesWorkWithoutAProject(t *testing.T) {
	k := &savedSettings{}
	d := shown(t, ui.Options{Save: k.save})
	const files, first = "What files are in this folder?", "Remember coffee as flat white"
	if !d.Reads("You need no key for this. Try writes “" + first + "” for you; press Enter to send it.") {
		t.Errorf("the welcome shows %q", d.Texts())
	}
	d.Press("Try")
	if d.draft() != first {
		t.Errorf("the composer holds %q", d.draft())
	}
	if d.Reads(files) || !d.Reads("Write a note called todo.txt saying buy milk") {
		t.Errorf("the empty conversation shows %q", d.Texts())
	}
}
