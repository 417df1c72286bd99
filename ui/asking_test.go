package ui

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"goated/internal/notify"
	"goated/servers/pause/dialog"
	"goated/servers/pause/history"
	"goated/ui/internal/screentest"
)

// dialogHistory is an empty history of dialogs.
func dialogHistory(t *testing.T) *history.History {
	t.Helper()
	h, err := history.Open(filepath.Join(t.TempDir(), "dialogs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// ask asks as another program does at the door, and returns the answer when it is there.
func (d *desk) ask(t *testing.T, q dialog.Question) <-chan dialog.Answer {
	t.Helper()
	if err := q.Check(); err != nil {
		t.Fatal(err)
	}
	got := make(chan dialog.Answer, 1)
	go func() {
		a, err := d.options.Dialogs.AskDialog(t.Context(), dialog.Caller{Name: "Claude Code", Folder: "/home/mara/trip"}, q, func() {})
		if err != nil {
			t.Error(err)
		}
		got <- a
	}()
	return got
}

// While the user is not to be disturbed, a question waits with a number in the sidebar,
// and nothing covers the page. It comes when the user wants it, and stays in the history.
func TestAQuestionWaitsWhileTheUserIsNotToBeDisturbed(t *testing.T) {
	h := dialogHistory(t)
	d := newDesk(t, Options{Pages: PageOptions{Asked: h}})
	screen := screentest.New(t, d.frame.win)
	if screen.Reads("Questions") {
		t.Error("the sidebar offers a page with nothing on it")
	}
	s := d.prefs.current
	s.Dialogs.Quiet = true
	d.prefs.change(s)
	d.show()
	got := d.ask(t, &dialog.Confirm{Question: "Delete the old map?"})
	d.until("the question waits", func() bool { return screen.Reads("Questions") && screen.Reads("1") })
	if len(d.shell.Sheets.All) > 0 {
		t.Fatal("the question disturbs")
	}
	screen.Press("Questions")
	if !screen.Reads("1 question waits for you") {
		t.Errorf("the page reads %q", screen.Texts())
	}
	screen.Press("Answer now")
	d.until("the question is open", func() bool { return len(d.shell.Sheets.All) > 0 })
	d.clock = d.clock.Add(time.Second)
	screen.Type("n")
	if a := <-got; a.Confirmed == nil || *a.Confirmed {
		t.Errorf("%+v", a)
	}
	d.until("the history has it", func() bool { return screen.Reads("Delete the old map?") && screen.Says("Claude Code in trip") })
	screen.Enter("Find a question or an answer", "elephant")
	if screen.Reads("Delete the old map?") {
		t.Errorf("the search finds %q", screen.Texts())
	}
}

// The keys of a dialog work wherever the focus is, except in a field: after a press on a
// button, Ctrl+Enter executes and a number chooses.
func TestKeysOfADialogWorkOnItsButtons(t *testing.T) {
	d := newDesk(t, Options{Pages: PageOptions{Asked: dialogHistory(t)}})
	d.show()
	got := d.ask(t, &dialog.Planner{DecisionContext: "Which part first?", Options: []dialog.Option{{Label: "Store", Value: "a"}, {Label: "Screens", Value: "b"}}})
	d.until("the question is open", func() bool { return len(d.shell.Sheets.All) > 0 })
	d.clock = d.clock.Add(time.Second)
	screen := screentest.New(t, d.frame.win)
	screen.FocusOn("Deep")
	screen.Key(fyne.KeySpace)
	screen.Type("2")
	screen.FocusOn("Cancel")
	screen.Ctrl(fyne.KeyReturn)
	d.until("the answer is there", func() bool { return len(got) > 0 && len(d.shell.Sheets.All) == 0 })
	if a := <-got; a.Choice != "b" || a.ThinkingMode != dialog.Deep || a.Action != dialog.Execute {
		t.Errorf("%+v", a)
	}

	got = d.ask(t, &dialog.Confirm{Question: "Send it?"})
	d.until("the next question is open", func() bool { return len(d.shell.Sheets.All) > 0 })
	d.clock = d.clock.Add(time.Second)
	screen.Press("Switch to text")
	screen.Type("Only on Monday")
	screen.FocusOn("Cancel")
	screen.Type("y") // no answer: the user writes one
	screen.Ctrl(fyne.KeyReturn)
	d.until("the answer is there", func() bool { return len(got) > 0 && len(d.shell.Sheets.All) == 0 })
	if a := <-got; a.Confirmed != nil || a.Text != "Only on Monday" {
		t.Errorf("%+v", a)
	}

	got = d.ask(t, &dialog.TextInput{Question: "What is it called?", MaxLength: 20, DefaultText: "Zanzibar"})
	d.until("the next question is open", func() bool { return len(d.shell.Sheets.All) > 0 })
	d.clock = d.clock.Add(time.Second)
	screen.FocusOn("Cancel")
	screen.Type("x")
	screen.Ctrl(fyne.KeyReturn)
	d.until("the answer is there", func() bool { return len(got) > 0 && len(d.shell.Sheets.All) == 0 })
	if a := <-got; a.Text != "Zanzibar" {
		t.Errorf("%+v", a)
	}
}

// A user who looks elsewhere answers with a button of the notification. A dangerous
// question has none: a press by accident must not delete anything.
func TestANotificationAnswers(t *testing.T) {
	notes, press := make(chan notify.Note, 1), make(chan string)
	h := dialogHistory(t)
	d := newDesk(t, Options{Pages: PageOptions{Asked: h}, Desktop: DesktopOptions{Notices: func(ctx context.Context, n notify.Note) (string, error) {
		notes <- n
		select {
		case key := <-press:
			return key, nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}}})
	d.show()
	d.presence.away = true
	d.seen()
	got := d.ask(t, &dialog.SingleChoice{Question: "Which part?", Options: []dialog.Option{{Label: "Store", Value: "a"}, {Label: "Screens", Value: "b"}}})
	if n := <-notes; n.Title != "Claude Code asks" || n.Text != "Which part?" || len(n.Actions) != 3 || n.Actions[2].Label != "Screens" || n.Sound {
		t.Errorf("the notification is %+v", n)
	}
	press <- "1"
	d.until("the answer is there", func() bool { return len(got) > 0 })
	if a := <-got; a.Choice != "b" {
		t.Errorf("%+v", a)
	}
	d.until("the question is gone", func() bool { return len(d.shell.Sheets.All) == 0 })
	if all := h.Search(""); len(all) != 1 || all[0].Answer != "Screens" {
		t.Errorf("the history has %+v", all)
	}

	got = d.ask(t, &dialog.Confirm{Question: "Delete all?", IsDangerous: true})
	if n := <-notes; len(n.Actions) != 1 || n.Actions[0].Key != notify.Open {
		t.Errorf("the notification is %+v", n)
	}
	d.until("the question is open", func() bool { return len(d.shell.Sheets.All) > 0 })
	d.clock = d.clock.Add(time.Second)
	screentest.New(t, d.frame.win).Key(fyne.KeyEscape)
	d.until("the answer is there", func() bool { return len(got) > 0 })
	if a := <-got; !a.Cancelled {
		t.Errorf("%+v", a)
	}
}

// The history never has a password.
func TestTheHistoryHasNoSecret(t *testing.T) {
	h := dialogHistory(t)
	d := newDesk(t, Options{Pages: PageOptions{Asked: h}})
	d.show()
	got := d.ask(t, &dialog.TextInput{Question: "What is the API key?"})
	d.until("the question is open", func() bool { return len(d.shell.Sheets.All) > 0 })
	d.clock = d.clock.Add(time.Second)
	screen := screentest.New(t, d.frame.win)
	screen.Type("hunter2")
	screen.Ctrl(fyne.KeyReturn)
	d.until("the answer is there", func() bool { return len(got) > 0 })
	if all := h.Search(""); len(all) != 1 || strings.Contains(all[0].Answer, "hunter2") || all[0].Answer == "" {
		t.Errorf("the history has %+v", all)
	}
}
