package ui_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/internal/config"
	"goated/internal/notify"
	"goated/internal/waittest"
	"goated/servers/desktop/live"
	"goated/servers/pause/dialog"
	"goated/servers/pause/dialogsocket"
	"goated/servers/pause/history"
	"goated/ui"
)

// dialogHistory returns an empty history of dialogs.
func dialogHistory(t *testing.T) *history.History {
	t.Helper()
	h, err := history.Open(filepath.Join(t.TempDir(), "dialogs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// claude is a program that asks questions.
var claude = dialog.Caller{Name: "Claude Code", Folder: "/home/mara/trip"}

// asked asks like another program. The answer arrives on the returned channel.
func (d *desk) asked(q dialog.Question) <-chan dialog.Answer {
	d.T.Helper()
	if err := q.Check(); err != nil {
		d.T.Fatal(err)
	}
	got := make(chan dialog.Answer, 1)
	ctx := background(d.T)
	go func() {
		a, err := d.dialogs.AskDialog(ctx, dialogsocket.Request{Caller: claude, Question: q, Shown: func() {}})
		if err != nil && ctx.Err() == nil {
			d.T.Error(err)
		}
		got <- a
	}()
	return got
}

// sheetOpens waits until a question covers the page and can be answered.
func (d *desk) sheetOpens() {
	d.T.Helper()
	d.until("the question is open", func() bool { return d.Layers() > 0 })
	d.later()
}

// answerOf waits until the question has its answer and no longer covers the page.
func (d *desk) answerOf(got <-chan dialog.Answer) dialog.Answer {
	d.T.Helper()
	d.until("the answer is there", func() bool { return len(got) > 0 && d.Layers() == 0 })
	return <-got
}

// While "Do not disturb" is on in the settings, a question waits, the sidebar shows the number
// of questions, and nothing covers the page. The question opens when the user wants it, and
// stays in the history.
func TestQuestionWaitsWhileTheUserIsNotToBeDisturbed(t *testing.T) {
	h := dialogHistory(t)
	quiet := config.Settings{Choices: config.Choices{Dialogs: config.Dialogs{Quiet: true}}}
	d := shown(t, ui.Options{Pages: ui.PageOptions{Asked: h}, Settings: quiet})
	if d.Reads("Questions") {
		t.Error("the sidebar offers a page with nothing on it")
	}
	got := d.asked(&dialog.Confirm{Question: "Delete the old map?"})
	d.until("the question waits", func() bool { return d.Reads("Questions") && d.Reads("1") })
	if d.Layers() > 0 {
		t.Fatal("the question disturbs")
	}
	d.Press("Questions")
	if !d.Reads("1 question waits for you") {
		t.Errorf("the page reads %q", d.Texts())
	}
	d.Press("Answer now")
	d.sheetOpens()
	d.Type("n")
	if a := waittest.Receive(t, "the answer", got); a.Confirmed == nil || *a.Confirmed {
		t.Errorf("the answer is %+v", a)
	}
	d.until("the history has it", func() bool { return d.Reads("Delete the old map?") && d.Says("Claude Code in trip") })
	d.Enter("Find a question or an answer", "elephant")
	if d.Reads("Delete the old map?") {
		t.Errorf("the search finds %q", d.Texts())
	}
}

// The keys of a dialog work wherever the focus is, except in a field. After a click on a
// button, Ctrl+Enter answers and a digit chooses.
func TestKeysOfDialogWorkOnItsButtons(t *testing.T) {
	d := shown(t, ui.Options{Pages: ui.PageOptions{Asked: dialogHistory(t)}})
	got := d.asked(&dialog.Planner{DecisionContext: "Which part first?", Options: []dialog.Option{{Label: "Store", Value: "a"}, {Label: "Screens", Value: "b"}}})
	d.sheetOpens()
	d.FocusOn("Deep")
	d.Key(fyne.KeySpace)
	d.Type("2")
	d.FocusOn("Cancel")
	d.Ctrl(fyne.KeyReturn)
	if a := d.answerOf(got); a.Choice != "b" || a.ThinkingMode != dialog.Deep || a.Action != dialog.Execute {
		t.Errorf("the answer is %+v", a)
	}

	got = d.asked(&dialog.Confirm{Question: "Send it?"})
	d.sheetOpens()
	d.Press("Switch to text")
	d.Type("Only on Monday")
	d.FocusOn("Cancel")
	d.Type("y") // not an answer, because the user is writing one
	d.Ctrl(fyne.KeyReturn)
	if a := d.answerOf(got); a.Confirmed != nil || a.Text != "Only on Monday" {
		t.Errorf("the answer is %+v", a)
	}

	got = d.asked(&dialog.TextInput{Question: "What is it called?", MaxLength: 20, DefaultText: "Zanzibar"})
	d.sheetOpens()
	d.FocusOn("Cancel")
	d.Type("x")
	d.Ctrl(fyne.KeyReturn)
	if a := d.answerOf(got); a.Text != "Zanzibar" {
		t.Errorf("the answer is %+v", a)
	}
}

// An absent user answers with a button of the notification. A dangerous question has no such
// buttons, because an accidental press must not delete anything.
func TestNotificationAnswers(t *testing.T) {
	notes, press := make(chan notify.Note, 1), make(chan string)
	h := dialogHistory(t)
	d := shown(t, ui.Options{Pages: ui.PageOptions{Asked: h}, Desktop: ui.DesktopOptions{Notices: func(ctx context.Context, n notify.Note) (string, error) {
		notes <- n
		select {
		case key := <-press:
			return key, nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}}})
	d.leave()
	got := d.asked(&dialog.SingleChoice{Question: "Which part?", Options: []dialog.Option{{Label: "Store", Value: "a"}, {Label: "Screens", Value: "b"}}})
	if n := waittest.Receive(t, "a notification", notes); n.Title != "Claude Code asks" || n.Text != "Which part?" || len(n.Actions) != 3 || n.Actions[2].Label != "Screens" || n.Sound {
		t.Errorf("the notification is %+v", n)
	}
	press <- "1"
	if a := d.answerOf(got); a.Choice != "b" {
		t.Errorf("the answer is %+v", a)
	}
	if all := h.Search(""); len(all) != 1 || all[0].Answer != "Screens" {
		t.Errorf("the history has %+v", all)
	}

	got = d.asked(&dialog.Confirm{Question: "Delete all?", IsDangerous: true})
	if n := waittest.Receive(t, "a notification", notes); len(n.Actions) != 1 || n.Actions[0].Key != notify.Open {
		t.Errorf("the notification is %+v", n)
	}
	d.sheetOpens()
	d.Key(fyne.KeyEscape)
	if a := d.answerOf(got); !a.Cancelled {
		t.Errorf("the answer is %+v", a)
	}
}

// While a model works on the user's desktop, a notification has no answer buttons, because the
// model could press them. Pressing a notification that appeared before only opens the question.
func TestNoAnswersInNotificationsWhileAModelWorks(t *testing.T) {
	notes, press := make(chan notify.Note, 1), make(chan string)
	v := live.NewView()
	d := shown(t, ui.Options{Pages: ui.PageOptions{Desktop: v}, Desktop: ui.DesktopOptions{Notices: func(ctx context.Context, n notify.Note) (string, error) {
		notes <- n
		select {
		case key := <-press:
			return key, nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}}})
	d.leave()
	q := &dialog.Confirm{Question: "Send it?", YesLabel: "Yes", NoLabel: "No"}
	before := d.asked(q)
	if n := waittest.Receive(t, "a notification", notes); len(n.Actions) != 3 {
		t.Errorf("without a desktop server, the notification is %+v", n)
	}
	ctx, end := context.WithCancel(t.Context())
	report := v.Answer(nil)
	if _, err := report(ctx, "dev.goated/always/desktop/report", json.RawMessage(`{"session":"s"}`)); err != nil {
		t.Fatal(err)
	}
	press <- "0"
	d.sheetOpens()
	d.Key(fyne.KeyEscape)
	if a := d.answerOf(before); a.Confirmed != nil || !a.Cancelled {
		t.Errorf("the press of a model answered: %+v", a)
	}
	got := d.asked(q)
	if n := waittest.Receive(t, "a notification", notes); len(n.Actions) != 1 || n.Actions[0].Key != notify.Open {
		t.Errorf("with a desktop server, the notification is %+v", n)
	}
	d.sheetOpens()
	d.Key(fyne.KeyEscape)
	d.answerOf(got)
	// A model on a hidden desktop sees no notification.
	gone := v.Mirror(nil)
	got = d.asked(q)
	if n := waittest.Receive(t, "a notification", notes); len(n.Actions) != 3 {
		t.Errorf("with a hidden desktop, the notification is %+v", n)
	}
	press <- "0"
	if a := d.answerOf(got); a.Confirmed == nil || !*a.Confirmed {
		t.Errorf("the answer is %+v", a)
	}
	gone()
	end()
}

// The history never contains a password.
func TestDialogHistoryHasNoSecret(t *testing.T) {
	h := dialogHistory(t)
	d := shown(t, ui.Options{Pages: ui.PageOptions{Asked: h}})
	got := d.asked(&dialog.TextInput{Question: "What is the API key?"})
	d.sheetOpens()
	d.Type("hunter2")
	d.Ctrl(fyne.KeyReturn)
	d.answerOf(got)
	if all := h.Search(""); len(all) != 1 || strings.Contains(all[0].Answer, "hunter2") || all[0].Answer == "" {
		t.Errorf("the history has %+v", all)
	}
}

// ask asks like another program through the socket. The error, or nil after an answer, arrives on
// the returned channel.
func (d *desk) ask(ctx context.Context, r dialogsocket.Request) <-chan error {
	d.T.Helper()
	if err := r.Question.Check(); err != nil {
		d.T.Fatal(err)
	}
	r.Caller, r.Shown = claude, func() {}
	got := make(chan error, 1)
	go func() { _, err := d.dialogs.AskDialog(ctx, r); got <- err }()
	return got
}

// After its caller gave up, a dialog stays open with what the user has typed, and says that it
// keeps the answer.
func TestDialogStaysAfterItsCallerGaveUp(t *testing.T) {
	h := dialogHistory(t)
	d := shown(t, ui.Options{Pages: ui.PageOptions{Asked: h}})
	waits := make(chan bool)
	got := d.ask(background(t), dialogsocket.Request{Question: &dialog.TextInput{Question: "What is it called?"}, Waits: waits})
	d.sheetOpens()
	const sentence = "Claude Code no longer waits. goated keeps your answer for the next time it asks."
	d.Type("Zanz")
	if d.Says(sentence) || !d.Says("It receives your answer.") {
		t.Errorf("before the caller gave up, the dialog reads %q", d.Texts())
	}
	waits <- false
	d.until("the dialog says that its caller does not wait", func() bool { return d.Says(sentence) })
	if d.Says("It receives your answer.") {
		t.Errorf("the dialog reads %q", d.Texts())
	}
	waits <- true
	d.until("the caller asks again", func() bool { return !d.Says(sentence) })
	waits <- false
	d.until("the caller gave up again", func() bool { return d.Says(sentence) })
	d.Type("ibar")
	d.Ctrl(fyne.KeyReturn)
	d.until("the answer is there", func() bool { return len(got) > 0 && d.Layers() == 0 })
	if err := <-got; err != nil {
		t.Error(err)
	}
	if all := h.Search(""); len(all) != 1 || all[0].Answer != "Zanzibar" {
		t.Errorf("the history has %+v", all)
	}
}

// A dialog closes when its caller exits. A toast reports this, and the Questions page keeps
// what the user has entered.
func TestClosedDialogKeepsWhatTheUserEntered(t *testing.T) {
	options := []dialog.Option{{Label: "Store", Value: "a"}, {Label: "Screens", Value: "b"}}
	for name, test := range map[string]struct {
		question dialog.Question
		enter    func(*desk)
		draft    string
	}{
		"a text":           {&dialog.TextInput{Question: "Which part?"}, func(d *desk) { d.Type("the store") }, "the store"},
		"a default text":   {&dialog.TextInput{Question: "Which part?", DefaultText: "all"}, func(*desk) {}, ""},
		"choices":          {&dialog.MultiChoice{Question: "Which part?", Options: options}, func(d *desk) { d.Type("12") }, "Store, Screens"},
		"a text of a plan": {&dialog.Planner{DecisionContext: "Which part?", Options: options}, func(d *desk) { d.Enter("Anything to add", "slowly") }, "slowly · normal · execute"},
		"own words":        {&dialog.Confirm{Question: "Which part?"}, func(d *desk) { d.Press("Switch to text"); d.Type("neither") }, "neither"},
		"own words, left":  {&dialog.Confirm{Question: "Which part?"}, func(d *desk) { d.Press("Switch to text"); d.Type("neither"); d.Press("Back to the options") }, "neither"},
		"a secret":         {&dialog.TextInput{Question: "Which part is the API key?"}, func(d *desk) { d.Type("hunter2") }, "••••••"},
	} {
		t.Run(name, func(t *testing.T) {
			h := dialogHistory(t)
			d := shown(t, ui.Options{Pages: ui.PageOptions{Asked: h}})
			ctx, leave := context.WithCancelCause(background(t))
			got := d.ask(ctx, dialogsocket.Request{Question: test.question})
			d.sheetOpens()
			test.enter(d)
			leave(dialogsocket.ErrCallerLeft)
			said := "Claude Code has ended, so its question was closed"
			if test.draft != "" {
				said += ". The Questions page keeps what you entered."
			}
			d.until("the dialog closes and says so", func() bool { return len(got) > 0 && d.Layers() == 0 && d.Reads(said) })
			if all := h.Search(""); len(all) != 1 || all[0].Draft != test.draft || all[0].Outcome != history.Left {
				t.Fatalf("the history has %+v", all)
			}
			d.Press("Questions")
			if shows := d.Says("You had entered: " + test.draft); shows != (test.draft != "") {
				t.Errorf("the page reads %q", d.Texts())
			}
		})
	}
}

// A visible question stays when older questions are released, because it contains what the user
// has typed.
func TestReleasedQuestionsComeAfterTheShownOne(t *testing.T) {
	quiet := config.Settings{Choices: config.Choices{Dialogs: config.Dialogs{Quiet: true}}}
	d := shown(t, ui.Options{Pages: ui.PageOptions{Asked: dialogHistory(t)}, Settings: quiet})
	held := d.asked(&dialog.Confirm{Question: "Delete the old map?"})
	d.until("the question waits", func() bool { return d.dialogs.Deferred() == 1 })
	first := suggest(d, background(t), "one")
	d.sees("Did you mean one?")
	d.dialogs.Release()
	d.later()
	if !d.Reads("Did you mean one?") || d.Reads("Delete the old map?") {
		t.Fatal("an older question takes the place of the shown one")
	}
	d.Press("No")
	waittest.Receive(t, "the first answer", first)
	d.sees("Delete the old map?") // the previous sheet may still be there
	d.later()
	d.Type("n")
	d.answerOf(held)
}

// The open dialog shows how many questions wait behind it, including those that arrived later.
func TestDialogCountsTheQuestionsBehindIt(t *testing.T) {
	d := shown(t, ui.Options{Pages: ui.PageOptions{Asked: dialogHistory(t)}})
	first := d.asked(&dialog.Confirm{Question: "First?"})
	d.sheetOpens()
	ctx, cancel := context.WithCancelCause(background(t))
	second := d.ask(ctx, dialogsocket.Request{Question: &dialog.Confirm{Question: "Second?"}})
	d.until("one waits", func() bool { return d.Reads("1 of 2") })
	cancel(dialogsocket.ErrCallerLeft)
	d.until("none waits", func() bool { return len(second) > 0 && !d.Reads("1 of 2") })
	d.Type("n")
	d.answerOf(first)
}
