package ui_test

import (
	"context"
	"database/sql"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"google.golang.org/genai"

	"goated/ui"
	"goated/ui/internal/samplechat"
)

// editField is the hint of the field in which a message is edited in place.
const editField = "Your message"

// edits changes a message in place and waits until the answer to it is saved.
func (d *desk) edits(message, to string) {
	d.T.Helper()
	d.act(message, "Edit and send again")
	d.until("the field has the focus", func() bool { return d.FieldFocused(editField) })
	d.Enter(editField, to)
	d.Ctrl(fyne.KeyReturn)
	d.settled()
}

// gated returns a window with a history and a model that answers only when the test calls
// answer.
func gated(t *testing.T) (d *desk, answer func()) {
	t.Helper()
	s, _ := archive(t)
	l, gate := &listener{}, make(chan struct{})
	model := samplechat.Model(func(ctx context.Context, history []*genai.Content, yield func(string, error) bool) {
		select {
		case <-gate:
			l.answer(ctx, history, yield)
		case <-ctx.Done():
			yield("", ctx.Err())
		}
	})
	d = shown(t, ui.Options{History: s, Agent: ui.AgentOptions{NewSession: sessions(model)}})
	d.model = l
	return d, func() {
		t.Helper()
		d.until("the model is asked", func() bool {
			select {
			case gate <- struct{}{}:
				return true
			default:
				return false
			}
		})
	}
}

// A message is edited in its place. The draft stays, Escape restores the message, and only Save
// sends the new text.
func TestEditInPlaceKeepsTheDraft(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("first")
	d.write("a draft")
	d.act("first", "Edit and send again")
	d.until("the field has the focus", func() bool { return d.FieldFocused(editField) })
	if d.draft() != "a draft" || d.Field(editField) != "first" {
		t.Fatalf("the composer holds %q, the field %q", d.draft(), d.Field(editField))
	}
	d.Enter(editField, "changed")
	d.Key(fyne.KeyEscape)
	if d.HasField(editField) || !slices.Contains(d.transcript(), "first") || d.draft() != "a draft" {
		t.Fatalf("after Escape the window shows %q", d.transcript())
	}
	d.send("") // sends the draft as a new message rather than a version
	d.says("second")
	if got := d.model.read(); !slices.Equal(got, []string{"first", "You said: first", "second"}) {
		t.Errorf("the model reads %q", got)
	}
	d.write("another draft")
	d.act("first", "Edit and send again")
	d.Enter(editField, "changed")
	d.Press("Save")
	d.settled()
	d.shows("changed", "2/2", "You said: changed")
	if d.draft() != "another draft" {
		t.Errorf("the composer holds %q", d.draft())
	}
}

// An edit that the user leaves keeps its text until the user saves it or restores the original
// text.
func TestEditKeepsItsText(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("first")
	opens := func(want string) {
		t.Helper()
		d.act("first", "Edit and send again")
		d.until("the field has the focus", func() bool { return d.FieldFocused(editField) })
		if got := d.Field(editField); got != want {
			t.Fatalf("the field holds %q, want %q", got, want)
		}
	}
	opens("first")
	if d.Reads("Original text") {
		t.Error("a button restores the text that the field has")
	}
	d.Enter(editField, "first, and much more")
	d.Key(fyne.KeyEscape)
	opens("first, and much more")
	d.Press("Original text")
	if d.Field(editField) != "first" || !d.FieldFocused(editField) {
		t.Errorf("the original text is not restored: %q", d.Field(editField))
	}
	d.Key(fyne.KeyEscape)
	opens("first")
	d.Enter(editField, "another")
	d.Press("Cancel")
	opens("another")
	d.Press("Save")
	d.settled()
	d.shows("another", "2/2", "You said: another")
	d.PressIcon("chevron-left")
	d.until("the first version is back", func() bool { return slices.Contains(d.transcript(), "first") })
	opens("first")
}

// "Answer again" threw away the text of an edit. The edit goes on, or its text is in the composer if its
// message is the one that is answered again.
func TestAnotherAnswerKeepsAnEdit(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("first")
	d.says("second")
	edit := func() {
		d.act("first", "Edit and send again")
		d.until("the field has the focus", func() bool { return d.FieldFocused(editField) })
		d.Enter(editField, "first, and much more")
	}
	edit()
	d.act("You said: second", "Answer again")
	d.settled()
	if !d.HasField(editField) || d.Field(editField) != "first, and much more" {
		t.Fatalf("the screen shows %q", d.Texts())
	}
	d.act("You said: first", "Answer again")
	d.settled()
	if d.HasField(editField) || d.draft() != "first, and much more" {
		t.Errorf("the composer holds %q, and the screen shows %q", d.draft(), d.Texts())
	}
}

// A message that is sent while an answer streams waits until the turn ends. Meanwhile it can be
// changed.
func TestMessagesQueueWhileAnAnswerStreams(t *testing.T) {
	d, answer := gated(t)
	d.send("one")
	d.until("the turn begins", d.busy)
	d.send("two")
	if d.draft() != "" || d.Count("Sent when the answer ends") != 1 || !slices.Contains(d.transcript(), "two") {
		t.Fatalf("the message does not wait: %q, and the composer holds %q", d.transcript(), d.draft())
	}
	d.send("dropped")
	d.PressIcon("close", 1)
	if slices.Contains(d.transcript(), "dropped") {
		t.Error("the message still waits")
	}
	d.write("a draft")
	d.PressIcon("pencil", d.Icons("pencil")-1)
	d.until("the field has the focus", func() bool { return d.FieldFocused(editField) })
	d.Enter(editField, "two, changed")
	d.Ctrl(fyne.KeyReturn)
	answer()
	d.until("the next turn begins", func() bool { return d.Says("You said: one") && d.busy() && !d.Reads("Sent when the answer ends") })
	answer()
	d.settled()
	if got := d.model.read(); !slices.Equal(got, []string{"one", "You said: one", "two, changed"}) {
		t.Errorf("the model reads %q", got)
	}
	if d.draft() != "a draft" {
		t.Errorf("the composer holds %q", d.draft())
	}
}

// Saving an edit stops the answer that streams.
func TestSavingAnEditStopsTheAnswer(t *testing.T) {
	d, answer := gated(t)
	d.send("one")
	answer()
	d.settled()
	d.send("two")
	d.until("the turn begins", d.busy)
	d.Hover("one", 2)
	d.PressIcon("pencil")
	d.until("the field has the focus", func() bool { return d.FieldFocused(editField) })
	d.Enter(editField, "uno")
	d.Press("Save")
	answer()
	d.until("the answer is there", func() bool { return slices.Contains(d.transcript(), "You said: uno") })
	d.settled()
	if got := d.model.read(); !slices.Equal(got, []string{"uno"}) {
		t.Errorf("the model reads %q", got)
	}
}

// A failure puts the waiting messages back into the composer, because they would fail too.
func TestQueueReturnsAfterAFailure(t *testing.T) {
	gate := make(chan struct{})
	d := shown(t, ui.Options{Agent: ui.AgentOptions{NewSession: sessions(samplechat.Model(func(_ context.Context, _ []*genai.Content, yield func(string, error) bool) {
		<-gate
		yield("", errBoom)
	}))}})
	d.send("one")
	d.until("the turn begins", d.busy)
	d.send("two")
	d.write("three")
	close(gate)
	d.until("both are in the composer", func() bool { return d.draft() == "two\n\nthree" })
}

// Text that the user types while nothing, a button or the text of the conversation has the
// focus goes to the composer. Letters that act on a selected message do not.
func TestTypingAnywhereGoesToTheComposer(t *testing.T) {
	d := newDesk(t, ui.Options{})
	d.window.ShowChat(called("read", nil), false)
	d.Canvas().Unfocus()
	d.TypeRune('h')
	d.PressAt(fyne.NewPos(900, 600), 0) // an empty part of the conversation
	d.TypeRune('e')
	d.FocusOn("New chat")
	d.TypeRune('y')
	if d.draft() != "hey" || !d.FieldFocused(composer) {
		t.Fatalf("the composer holds %q", d.draft())
	}
	d.Shortcut(fyne.KeyUp, fyne.KeyModifierAlt)
	d.TypeRune('c')
	if d.draft() != "hey" {
		t.Errorf("a letter for a chosen message went to the composer: %q", d.draft())
	}
}

// If the history could not be read after the stop of an answer, the text of the edit was lost.
func TestAnEditIsKeptIfTheHistoryFails(t *testing.T) {
	s, path := archive(t)
	stuck := samplechat.Model(func(ctx context.Context, _ []*genai.Content, yield func(string, error) bool) {
		yield("The answer begins.", nil)
		<-ctx.Done()
		yield("", ctx.Err())
	})
	d := shown(t, ui.Options{History: s, Agent: ui.AgentOptions{NewSession: sessions(stuck)}})
	d.send("slow")
	d.sees("The answer begins.")
	d.HoverAt(d.message("slow"))
	d.PressIcon("pencil", d.Icons("pencil")-1)
	d.until("the field has the focus", func() bool { return d.FieldFocused(editField) })
	d.Enter(editField, "slow, but changed")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`ALTER TABLE turn RENAME TO hidden`); err != nil {
		t.Fatal(err)
	}
	d.Ctrl(fyne.KeyReturn)
	d.until("the text is in the composer", func() bool { return d.draft() == "slow, but changed" })
}
