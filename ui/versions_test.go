package ui_test

import (
	"database/sql"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
)

// Editing a message creates a branch. Both branches are saved and can be shown.
func TestEditMakesABranch(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("first")
	d.edits("first", "second")
	d.shows("second", "2/2", "You said: second")
	d.run("Version 1 of 2")
	d.shows("first", "1/2", "You said: first")
}

// The pager under a message switches between its versions and what followed each of them.
func TestVersionsArePaged(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("first")
	d.says("then")
	d.edits("first", "second")
	d.shows("second", "2/2", "You said: second")
	if d.IconPressable("chevron-right") || !d.IconPressable("chevron-left") {
		t.Error("the pager leads beyond the last version, or not back")
	}
	d.PressIcon("chevron-left")
	d.shows("first", "1/2", "You said: first", "then", "You said: then")
	d.act("You said: then", "Answer again")
	d.settled()
	want := []string{"first", "1/2", "You said: first", "then", "You said: then", "2/2"}
	d.shows(want...)
	if got := d.model.read(); !slices.Equal(got, []string{"first", "You said: first", "then"}) {
		t.Fatalf("the model reads %q", got)
	}
	d.Ctrl(fyne.KeyLeftBracket)
	d.shows("first", "1/2", "You said: first", "then", "You said: then", "1/2")
	d.Ctrl(fyne.KeyRightBracket)
	d.shows(want...)
	// After switching to the other message and back, the answer shows the same version as
	// before.
	d.PressIcon("chevron-right")
	d.shows("second", "2/2", "You said: second")
	d.PressIcon("chevron-left")
	d.shows(want...)
}

func TestMessageIsDeletedAndBroughtBack(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	for _, text := range []string{"one", "two", "three"} {
		d.says(text)
	}
	all := d.messages()
	d.act("You said: two", "Delete the message, its answer and the next message")
	d.shows("one", "You said: one")
	if !d.Reads("Undo") {
		t.Error("the window does not offer to bring the messages back")
	}
	d.says("instead")
	if got := d.model.read(); !slices.Equal(got, []string{"one", "You said: one", "instead"}) {
		t.Fatalf("the model reads %q", got)
	}
	d.undelete()
	d.until("the messages are back", func() bool { return slices.Contains(d.messages(), "three") })
	want := []string{all[0], all[1], "two", "1/2", "You said: two", "three", "You said: three"}
	d.shows(want...)
	d.says("on")
	if got := d.model.read(); !slices.Equal(got, append(all, "on")) {
		t.Fatalf("the model reads %q", got)
	}
}

// A deletion that could not be undone because of the disk can be undone later, once.
func TestUndoCanBeTriedAgain(t *testing.T) {
	s, path := archive(t)
	d := keeping(t, s)
	d.says("one")
	all := d.messages()
	d.act("one", "Delete the message and its answer")
	d.until("the message is gone", func() bool { return !slices.Contains(d.messages(), "one") })
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TRIGGER no BEFORE UPDATE OF deleted ON turn BEGIN SELECT raise(ABORT, 'no room'); END`); err != nil {
		t.Fatal(err)
	}
	toasts := d.Icons("alert")
	d.undelete()
	d.until("the window says that it failed", func() bool { return d.Icons("alert") > toasts })
	if _, err := db.Exec(`DROP TRIGGER no`); err != nil {
		t.Fatal(err)
	}
	d.undelete()
	d.shows(all...)
	d.undelete()
	d.settled()
	d.shows(all...)
}

// Nothing is sent while a message is being deleted. The text stays in the composer and then
// follows the remaining messages.
func TestNothingIsSentWhileAMessageIsDeleted(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("one")
	d.says("two")
	d.act("two", "Delete the message and its answer")
	d.send("three")
	if d.busy() || d.draft() != "three" {
		t.Errorf("the message is sent, and the composer holds %q", d.draft())
	}
	d.shows("one", "You said: one")
	d.FocusField(composer)
	d.Key(fyne.KeyReturn)
	d.settled()
	d.shows("one", "You said: one", "three", "You said: three")
	if got := d.model.read(); !slices.Equal(got, []string{"one", "You said: one", "three"}) {
		t.Errorf("the model reads %q", got)
	}
}
