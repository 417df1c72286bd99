package ui_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/config"
	"goated/servers/pause/dialog"
	"goated/servers/pause/dialogsocket"
	"goated/ui"
)

// asksInCall asks for a text like goated's own pause server, during a call of the shown
// conversation.
func (d *desk) asksInCall(ctx context.Context, question string) <-chan *mcp.ElicitResult {
	d.T.Helper()
	got := make(chan *mcp.ElicitResult, 1)
	go func() {
		r, err := d.dialogs.Elicit(ctx, client.Asker{ID: "pause", Name: "pause", Start: "goated pause"}, &mcp.ElicitParams{Meta: mcp.Meta{
			client.DialogExtension: map[string]any{"kind": "text_input", "question": map[string]any{"question": question, "required": true}}}})
		if err != nil && ctx.Err() == nil {
			d.T.Error(err)
		}
		got <- r
	}()
	return got
}

// A dialog in the conversation took the focus from a field, such as the one that searches the
// conversation or that of an edit, and the next letter answered it. Its end moved the focus, too.
func TestADialogLeavesAFieldAlone(t *testing.T) {
	for name, hint := range map[string]string{"Find in the conversation…": findField, "Search all conversations…": searchField} {
		s, _ := archive(t)
		d := shown(t, ui.Options{History: s})
		d.callUnderWay("pause", "confirm")
		d.run(name)
		ctx, cancel := context.WithCancel(background(t))
		got := make(chan *mcp.ElicitResult, 1)
		go func() {
			r, _ := d.dialogs.Elicit(ctx, client.Asker{ID: "pause", Name: "pause", Start: "goated pause"}, &mcp.ElicitParams{Meta: mcp.Meta{
				client.DialogExtension: map[string]any{"kind": "confirm", "question": map[string]any{"question": "Send it?"}}}})
			got <- r
		}()
		d.sees("Send it?")
		d.later()
		d.Type("yes")
		if d.Field(hint) != "yes" || !d.Reads("Send it?") {
			t.Errorf("%s holds %q: %q", hint, d.Field(hint), d.Texts())
		}
		cancel()
		d.until("the question closes", func() bool { return !d.Reads("Send it?") && len(got) > 0 })
		if !d.FieldFocused(hint) {
			t.Errorf("%s has lost the focus", hint)
		}
	}
}

// two asks two questions in one conversation. The first becomes visible.
func (d *desk) two() (first, second <-chan *mcp.ElicitResult) {
	d.T.Helper()
	d.callUnderWay("pause", "text_input")
	ctx := background(d.T)
	first = d.asksInCall(ctx, "What should the app be called when it is in the store?")
	d.sees("What should the app be called when it is in the store?")
	second = d.asksInCall(ctx, "Where do you live?")
	d.until("a second question waits", func() bool { return d.Reads("1 of 2") })
	return first, second
}

// inList returns the questions in the open list.
func (d *desk) inList() (all []string) {
	if d.Layers() == 0 {
		return nil
	}
	return d.Texts()
}

// The list opens with the mouse and with the keyboard, and replaces the visible question with
// another one. Afterwards the first still contains what the user typed.
func TestListOfWaitingQuestions(t *testing.T) {
	for name, choose := range map[string]func(*desk){
		"mouse": func(d *desk) { d.Press("1 of 2"); d.Press("Where do you live?") },
		"keyboard": func(d *desk) {
			d.FocusOn("1 of 2")
			if !d.RingAround("1 of 2") {
				t.Error("the button does not show the focus")
			}
			d.Key(fyne.KeyReturn)
			d.Key(fyne.KeyDown)
			d.Key(fyne.KeyReturn)
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := shown(t, ui.Options{})
			first, second := d.two()
			d.Type("Zanz")
			choose(d)
			d.until("the second question is there", func() bool { return d.Layers() == 0 && d.Reads("2 of 2") && d.Reads("Where do you live?") })
			d.Type("Lisbon")
			d.Ctrl(fyne.KeyReturn)
			if len(second) > 0 {
				t.Fatal("a key right after the question came to the front answers it")
			}
			d.later()
			d.Ctrl(fyne.KeyReturn)
			d.until("the second question has its answer", func() bool { return len(second) > 0 })
			if a, _ := (<-second).Meta[client.DialogExtension].(dialog.Answer); a.Text != "Lisbon" {
				t.Errorf("the second answer is %+v", a)
			}
			d.until("the first question is back, alone", func() bool {
				return d.Reads("What should the app be called when it is in the store?") && !d.Says(" of 2")
			})
			d.later()
			d.Type("ibar")
			d.Ctrl(fyne.KeyReturn)
			d.until("the first question has its answer", func() bool { return len(first) > 0 })
			if a, _ := (<-first).Meta[client.DialogExtension].(dialog.Answer); a.Text != "Zanzibar" {
				t.Errorf("the first answer is %+v", a)
			}
		})
	}
}

// Esc and a click beside the list close it and change nothing.
func TestListOfWaitingQuestionsCloses(t *testing.T) {
	d := shown(t, ui.Options{})
	first, _ := d.two()
	d.later()
	d.FocusOn("1 of 2")
	d.Key(fyne.KeySpace)
	if d.Layers() != 1 {
		t.Fatal("the list does not open")
	}
	d.Key(fyne.KeyEscape)
	if d.Layers() != 0 || len(first) > 0 || !d.FocusIsOn("1 of 2") {
		t.Errorf("%d layers; the focus is on %q", d.Layers(), d.Focus())
	}
	d.Press("1 of 2")
	d.PressAt(fyne.NewPos(300, 700), 0)
	if d.Layers() != 0 || !d.Reads("What should the app be called when it is in the store?") {
		t.Errorf("the screen reads %q", d.Texts())
	}
}

// The list updates while it is open: new questions appear, and questions that end disappear.
// When one is left, the list closes.
func TestListOfWaitingQuestionsIsLive(t *testing.T) {
	d := shown(t, ui.Options{})
	d.two()
	d.Press("1 of 2")
	ctx, leave := context.WithCancel(background(t))
	d.asksInCall(ctx, "How old\nare \u202eyou?")
	d.until("the third question is in the list", func() bool { return slices.Contains(d.inList(), "How old are ⟨U+202E⟩you?") })
	other, end := context.WithCancelCause(background(t))
	d.ask(other, dialogsocket.Request{Question: &dialog.Confirm{Question: "Delete the old map?"}})
	d.until("a question of another program is in the list", func() bool {
		return slices.Contains(d.inList(), "Delete the old map?") && slices.Contains(d.inList(), "Yes or no · Claude Code in trip")
	})
	d.Key(fyne.KeyEnd)
	end(dialogsocket.ErrCallerLeft)
	d.until("it goes", func() bool { return d.Layers() == 1 && !slices.Contains(d.inList(), "Delete the old map?") })
	leave()
	d.until("the third one goes", func() bool { return d.Layers() == 1 && !slices.Contains(d.inList(), "How old are ⟨U+202E⟩you?") })
	d.Key(fyne.KeyReturn) // the mark is on the question that moved up
	d.until("the chosen one is there", func() bool { return d.Reads("2 of 2") })
	third, leave := context.WithCancel(background(t))
	d.asksInCall(third, "How tall are you?")
	d.until("it waits", func() bool { return d.Reads("2 of 3") })
	d.later()
	d.Key(fyne.KeyEscape)
	d.until("the first is there", func() bool {
		return d.Reads("1 of 2") && d.Reads("What should the app be called when it is in the store?")
	})
	d.Press("1 of 2")
	leave()
	d.until("the list closes", func() bool {
		return d.Layers() == 0 && d.Reads("What should the app be called when it is in the store?")
	})
	if d.Reads("1 of 2") {
		t.Error("the question still says that another one waits")
	}
}

// The list shows how long a question has waited, and keeps the time up to date.
func TestListOfWaitingQuestionsSaysHowLong(t *testing.T) {
	d := shown(t, ui.Options{})
	d.two()
	d.Press("1 of 2")
	if all := d.inList(); !slices.Contains(all, "now") || !slices.ContainsFunc(all, func(s string) bool { return strings.HasPrefix(s, "Text · The model · ") }) {
		t.Errorf("the list reads %q", all)
	}
	for range 130 {
		d.later()
	}
	d.beats(60)
	if all := d.inList(); !slices.Contains(all, "2m") {
		t.Errorf("two minutes later, the list reads %q", all)
	}
}

// Questions of other programs appear on sheets. The user can choose another one. The first
// keeps what was typed, and takes no key right after it returns.
func TestListOfQuestionsOfPrograms(t *testing.T) {
	d := shown(t, ui.Options{Pages: ui.PageOptions{Asked: dialogHistory(t)}})
	first := d.asked(&dialog.TextInput{Question: "What is it called?"})
	d.sheetOpens()
	second := d.asked(&dialog.TextInput{Question: "Where is it?"})
	d.until("the second waits", func() bool { return d.Reads("1 of 2") })
	d.Type("Zanz")
	d.FocusOn("1 of 2")
	d.Key(fyne.KeyReturn)
	d.until("the list is open", func() bool { return d.Layers() == 2 })
	d.Key(fyne.KeyDown)
	d.Key(fyne.KeyReturn)
	d.until("the second is there", func() bool { return d.Layers() == 1 && d.Reads("2 of 2") })
	d.later()
	d.Type("Lisbon")
	d.Ctrl(fyne.KeyReturn)
	d.until("the second answer is there", func() bool { return len(second) > 0 && d.Reads("What is it called?") })
	if a := <-second; a.Text != "Lisbon" {
		t.Errorf("the second answer is %+v", a)
	}
	d.Type("ibar")
	d.Ctrl(fyne.KeyReturn)
	if len(first) > 0 {
		t.Fatal("a key right after the question is back answers it")
	}
	d.later()
	d.Ctrl(fyne.KeyReturn)
	if a := d.answerOf(first); a.Text != "Zanzibar" {
		t.Errorf("the first answer is %+v", a)
	}
}

// The question on a sheet may end while the sheet's list is open. The list stays open, and the
// next question appears when it closes.
func TestShownQuestionEndsWhileTheListIsOpen(t *testing.T) {
	d := shown(t, ui.Options{Pages: ui.PageOptions{Asked: dialogHistory(t)}})
	ctx, leave := context.WithCancelCause(background(t))
	first := d.ask(ctx, dialogsocket.Request{Question: &dialog.TextInput{Question: "What is it called?"}})
	d.sheetOpens()
	second, third := d.asked(&dialog.Confirm{Question: "Is it there?"}), d.asked(&dialog.Confirm{Question: "Is it good?"})
	d.until("two more wait", func() bool { return d.Reads("1 of 3") })
	d.Press("1 of 3")
	leave(dialogsocket.ErrCallerLeft)
	d.until("the list has two", func() bool {
		return len(first) > 0 && d.Layers() == 1 && !slices.Contains(d.inList(), "What is it called?") && slices.Contains(d.inList(), "Is it there?")
	})
	d.Key(fyne.KeyEscape)
	left := map[string]<-chan dialog.Answer{"Is it there?": second, "Is it good?": third}
	for len(left) > 0 {
		shows := ""
		d.until("a question that has no answer is there", func() bool {
			for shows = range left {
				if d.Reads(shows) {
					return len(left) == 1 || d.Reads("1 of 2")
				}
			}
			return false
		})
		d.later()
		d.Type("n")
		d.until("it has its answer", func() bool { return len(left[shows]) > 0 })
		delete(left, shows)
	}
}

// The user can choose a conversation's question from the sheet of another program. The sheet
// disappears until the chosen question is answered, and the sidebar shows the number of waiting
// questions.
func TestChoosingFromASheetAQuestionOfAConversation(t *testing.T) {
	d := shown(t, ui.Options{Pages: ui.PageOptions{Asked: dialogHistory(t)}})
	d.callUnderWay("pause", "text_input")
	inline := d.asksInCall(background(t), "Where do you live?")
	d.sees("Where do you live?")
	d.newChat()
	d.later()
	other := d.asked(&dialog.TextInput{Question: "What is it called?"})
	d.sheetOpens()
	d.Type("Zanz")
	d.Press("2 of 2")
	d.Press("Where do you live?")
	d.until("the conversation is there", func() bool { return d.Layers() == 0 && d.Reads("Where do you live?") && d.Reads("1 of 2") })
	if all := strings.Join(d.sidebar(), "|"); !strings.Contains(all, "Questions|1") {
		t.Errorf("the sidebar reads %q", all)
	}
	d.later()
	d.Type("Lisbon")
	d.Ctrl(fyne.KeyReturn)
	d.until("it has its answer, and the sheet is back", func() bool { return len(inline) > 0 && d.Layers() == 1 })
	d.later()
	d.Type("ibar")
	d.Ctrl(fyne.KeyReturn)
	if a := d.answerOf(other); a.Text != "Zanzibar" {
		t.Errorf("the answer is %+v", a)
	}
}

// While "Do not disturb" is on, the user can open one of the waiting questions.
func TestChoosingOneOfTheHeldQuestions(t *testing.T) {
	quiet := config.Settings{Choices: config.Choices{Dialogs: config.Dialogs{Quiet: true}}}
	d := shown(t, ui.Options{Pages: ui.PageOptions{Asked: dialogHistory(t)}, Settings: quiet})
	first := d.asked(&dialog.TextInput{Question: "What is it called?"})
	d.until("the first question waits", func() bool { return d.dialogs.Deferred() == 1 && d.Reads("Questions") })
	second := d.asked(&dialog.TextInput{Question: "Where is it?"})
	d.until("both questions wait", func() bool { return d.dialogs.Deferred() == 2 })
	d.Press("Questions")
	d.Press("Choose one")
	d.Press("Where is it?")
	d.sheetOpens()
	if d.Says(" of 2") || !d.Reads("Where is it?") {
		t.Errorf("the dialog reads %q", d.Texts())
	}
	d.Type("here")
	d.Ctrl(fyne.KeyReturn)
	if a := d.answerOf(second); a.Text != "here" {
		t.Errorf("the answer is %+v", a)
	}
	if !d.Reads("1 question waits for you") || d.Reads("Choose one") {
		t.Errorf("the page reads %q", d.Texts())
	}
	d.Press("Answer now")
	d.sheetOpens()
	d.Key(fyne.KeyEscape)
	if a := d.answerOf(first); !a.Cancelled {
		t.Errorf("the answer is %+v", a)
	}
}

// In a narrow window the list and the button stay visible.
func TestListOfWaitingQuestionsInANarrowWindow(t *testing.T) {
	d := shown(t, ui.Options{})
	d.two()
	d.Window.Resize(fyne.NewSize(560, 560))
	d.until("the button is in sight", func() bool { return d.Reads("1 of 2") })
	d.roomFor("1 of 2")
	d.Press("1 of 2")
	d.roomFor("What should the app be called when it is in the store?", "Where do you live?")
	for _, text := range []string{"What should the app be called when it is in the store?", "Where do you live?"} {
		at, size, seen := d.Place(text)
		if !seen || at.X < 0 || at.X+size.Width > 560 || at.Y+size.Height > 560 {
			t.Errorf("%q is at %v, %v wide: %t", text, at, size, seen)
		}
	}
	d.Press("Where do you live?")
	d.until("it is there", func() bool { return d.Reads("2 of 2") })
}

// roomFor fails the test if one of the texts has less room than it needs.
func (d *desk) roomFor(texts ...string) {
	d.T.Helper()
	for _, misfit := range d.Misfits() {
		if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(misfit, text) }) {
			d.T.Errorf("it does not fit: %s", misfit)
		}
	}
}
