package ui_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/gofrs/flock"

	"goated/internal/store"
	"goated/ui"
)

// A window that closes while another goated process holds the history does not wait for it,
// whether it has a draft or a turn to save.
func TestClosingWhileTheHistoryIsHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	lock := flock.New(path + ".lock")
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	s := store.Start(t.Context(), path)
	d := keeping(t, s)
	d.send("hello")
	d.write("a draft")
	began := time.Now()
	d.window.Close()
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("closing took %v", took)
	}
}

// A message is saved no matter how soon the window closes after it. This includes the first
// message, and messages while another goated process holds the history.
func TestClosingRightAfterSending(t *testing.T) {
	rounds := 8 // the turn gets further in some rounds than in others
	if testing.Short() {
		rounds = 2
	}
	for round := range rounds {
		held := round == 0
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "history.db")
			lock := flock.New(path + ".lock")
			if held {
				if err := lock.Lock(); err != nil {
					t.Fatal(err)
				}
			}
			defer lock.Close()
			s := store.Start(t.Context(), path)
			d := keeping(t, s)
			d.send("a last word")
			d.window.Close()
			closed := s.Close()
			if held == (closed == nil) {
				t.Errorf("Close reports %v", closed)
			}
			if err := lock.Unlock(); err != nil {
				t.Fatal(err)
			}
			again, err := store.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			if list, err := again.Conversations(t.Context()); err != nil || len(list) != 1 || list[0].Title != "a last word" {
				t.Errorf("saved are %+v, %v", list, err)
			}
		})
	}
}

// A window that closes while another process locks the database does not wait for it. Its
// messages are there after the next start.
func TestClosingWhileTheDatabaseIsLocked(t *testing.T) {
	s, path := archive(t)
	d := keeping(t, s)
	d.says("before")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	lock, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if _, err := lock.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	d.send("a question for which there is no room")
	if !d.busy() {
		t.Fatal("the turn has not begun")
	}
	d.write("a draft")
	began := time.Now()
	d.window.Close()
	closed := s.Close()
	if took := time.Since(began); took > 10*time.Second { // takes three seconds on an idle machine
		t.Errorf("closing took %v", took)
	}
	if closed == nil || !strings.Contains(closed.Error(), "read when goated starts again") {
		t.Errorf("Close reports %v", closed)
	}
	if _, err := lock.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	again, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	list, err := again.Conversations(t.Context())
	if err != nil || len(list) != 2 || again.Warning() == nil {
		t.Fatalf("%+v, %v, warning %v", list, err, again.Warning())
	}
	kept := ""
	for _, c := range list {
		kept += c.Title + "; "
	}
	if !strings.Contains(kept, "no room") {
		t.Errorf("saved are %s", kept)
	}
}

// A user who closes the window with unsaved messages is asked once, and can export them or
// stay. If everything is saved, goated asks nothing. A stranger found the fault: on a full
// disk, closing the window lost the conversation.
func TestClosingAsksWhileMessagesAreNotSaved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(dir, nil, 0o600); err != nil { // a file instead of a folder, so the history cannot be opened
		t.Fatal(err)
	}
	s := store.Start(t.Context(), filepath.Join(dir, "history.db"))
	defer s.Close()
	d := keeping(t, s)
	d.answered("words without a place")
	d.until("the window says so", func() bool { return d.Says("can't save now") })
	const question = "This conversation isn't saved"
	d.Ctrl(fyne.KeyQ)
	d.sees(question)
	d.Press("Cancel")
	d.Ctrl(fyne.KeyQ)
	d.sees(question)
	d.Press("Export…")
	file := filepath.Join(t.TempDir(), "kept.md")
	d.Enter("/path/to/file", file)
	d.Press("Save")
	d.until("the file has the message and its answer", func() bool {
		data, _ := os.ReadFile(file)
		return strings.Contains(string(data), "words without a place") && strings.Contains(string(data), "You said: words without a place")
	})
	d.until("the sheet closes", func() bool { return d.Layers() == 0 })
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	d.Press("Try again")
	d.until("all is saved", func() bool { return !d.Says("can't save now") && !d.Says("Not saved yet") })
	d.Ctrl(fyne.KeyQ)
	if d.Says(question) {
		t.Error("the window asks although all is saved")
	}
}

// A quitter is a driver that counts how often it is asked to end the loop.
type quitter struct {
	fyne.Driver
	quits int
}

func (q *quitter) Quit() { q.quits++ }

// A signal ends both goated and Fyne's loop, in any order. goated only ends the loop, because
// Fyne panics if a window closes after the loop. The reading position is saved although no
// window closes first.
func TestSignalEndsTheLoop(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	s := store.Start(t.Context(), path)
	d := newDesk(t, ui.Options{History: s, Agent: ui.AgentOptions{NewSession: sessions((&listener{}).answer)}})
	q := &quitter{Driver: fyne.CurrentApp().Driver()}
	d.driver = q
	ctx, stop := context.WithCancel(t.Context())
	d.loop = func() {
		for i := range 6 {
			d.send(fmt.Sprintf("%d\n%s", i, strings.Repeat("a line\n", 20)))
			d.settled()
		}
		d.scrollToTop()
		stop()
		d.until("the loop ends", func() bool { return q.quits > 0 })
	}
	d.window.Run(ctx)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if list, err := again.Conversations(t.Context()); err != nil || len(list) != 1 || list[0].Place == "" {
		t.Errorf("saved are %+v, %v", list, err)
	}
}
