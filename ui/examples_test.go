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
	// Another example replaced a draft. It only replaces an example.
	d.Press("What do you remember about coffee")
	if got := d.draft(); got != "What do you remember about coffee" {
		t.Errorf("a second example makes %q", got)
	}
	d.write("keep me")
	d.run("Show the welcome page")
	d.Press("Try")
	if got := d.draft(); got != "keep me\n\n"+first {
		t.Errorf("after a draft, Try makes %q", got)
	}
	if d.Reads(files) || !d.Reads("Write a note called todo.txt saying buy milk") {
		t.Errorf("the empty conversation shows %q", d.Texts())
	}
}
