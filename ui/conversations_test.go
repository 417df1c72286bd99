package ui_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
)

// The title appears with the first message (requirement 3 of the persistence spec). After the
// shown conversation is deleted, the window shows the most recent remaining one, or an empty
// one (requirement 4).
func TestTitleIsLiveAndDeletingShowsTheMostRecent(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	for _, text := range []string{"alpha\nand more", "beta", "gamma"} {
		d.newChat()
		d.send(text)
		first, _, _ := strings.Cut(text, "\n")
		d.until("the title is there", func() bool { return slices.Contains(d.sidebar(), first) && d.title() == first })
		d.settled()
		d.later()
	}
	// The pinned conversation is at the top, but it is not the most recent one.
	d.Press("alpha")
	d.until("alpha is read", d.window.Settled)
	d.run("Pin or unpin the conversation")
	d.sees("Pinned")
	d.Press("gamma")
	for _, want := range []string{"beta", "alpha", "New chat"} {
		d.run("Delete the conversation")
		d.until(want+" is shown", func() bool { return d.title() == want })
	}
	for _, want := range []string{"alpha", "beta", "gamma"} {
		d.undelete()
		d.until(want+" is back", func() bool { return d.title() == want })
	}
}

// undelete restores what was deleted last.
func (d *desk) undelete() {
	d.Shortcut(fyne.KeyZ, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift)
}

// listFirst changes the history with do, and waits until the window posts the function that compares the new list.
// It runs that function before the others. They come from separate goroutines, so any order is possible.
func (d *desk) listFirst(do func()) {
	d.T.Helper()
	do()
	var others []func()
	for {
		select {
		case f := <-d.queue:
			if !strings.Contains(runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name(), "Follow") {
				others = append(others, f)
				continue
			}
			f()
			for _, f := range others {
				f()
			}
			return
		case <-time.After(patience):
			d.T.Fatal("the window does not read the list again")
		}
	}
}

// The window also reads the list of conversations when the history changes. When it did before it noted its own
// change, a conversation that the user brought back was listed twice, and a deletion was not offered for undo but
// reported as that of another process.
func TestOwnDeletionsAreNotThoseOfOthers(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("one")
	d.newChat()
	d.says("two")
	d.settled()
	d.run("Delete the conversation")
	d.sees("Deleted “two”.")
	d.listFirst(d.undelete)
	d.until("the conversation is back", func() bool { return d.window.Settled() && d.title() == "two" })
	if all, _ := d.listed([]string{"one", "two"}); !slices.Equal(all, []string{"two", "one"}) {
		t.Errorf("the sidebar lists %q", all)
	}
	d.listFirst(func() { d.run("Delete the conversation") })
	if d.sees("Deleted “two”."); d.Reads("Another goated deleted “two”.") {
		t.Error("the window reports its own deletion as that of another process")
	}
}

// If the history fails, the window keeps what it shows and reports the problem (property 9).
func TestFailureKeepsWhatIsShown(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("one")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	before, toasts := d.transcript(), d.Icons("alert")
	d.run("Delete the conversation")
	d.until("the window says what failed", func() bool { return d.Icons("alert") > toasts })
	d.act("You said: one", "Delete the message and its answer") // the toast covers the message
	d.until("the window says so again", func() bool { return d.Icons("alert") > toasts+1 })
	if got := d.transcript(); !slices.Equal(got, before) || d.title() != "one" {
		t.Fatalf("the window shows %q", got)
	}
	d.Enter(searchField, "one")
	d.until("the search says so, too", func() bool { d.beats(2); return d.Says("The search failed. ") })
}

// Whatever the user does, the sidebar has the order of the history, even after a restart
// (property 2).
func TestListIsInTheOrderOfTheHistory(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	titles := func() (all []string, pins int) {
		list, err := s.Conversations(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list {
			all = append(all, c.Title)
			if c.Pinned {
				pins++
			}
		}
		return all, pins
	}
	has := func(title string) bool {
		all, _ := titles()
		return slices.Contains(all, title)
	}
	same := func(d *desk, after string) {
		t.Helper()
		var want, got []string
		var pins, marks int
		defer func() {
			if t.Failed() {
				t.Logf("after %s the history lists %q, %d pinned; the sidebar shows %q, %d marked as pinned", after, want, pins, got, marks)
			}
		}()
		d.until("the sidebar agrees with the history after "+after, func() bool {
			want, pins = titles()
			got, marks = d.listed(want)
			return d.window.Settled() && len(got) >= min(len(want), 8) &&
				slices.Equal(got, want[:min(len(got), len(want))]) && marks == min(pins, len(got))
		})
	}
	chance := rand.New(rand.NewPCG(2026, 11))
	steps := 120
	if testing.Short() {
		steps = 30
	}
	var deleted []string
	for n := range steps {
		d.later()
		there := d.title() != "New chat"
		switch chance.IntN(6) {
		case 0:
			d.newChat()
			d.says(fmt.Sprintf("conversation %d", n))
			same(d, "a new conversation")
		case 1:
			if there {
				_, before := titles()
				d.run("Pin or unpin the conversation")
				d.until("the history has the pin", func() bool { _, now := titles(); return now != before })
				same(d, "a pin")
			}
		case 2:
			if there {
				gone := d.title()
				d.run("Delete the conversation")
				d.until(gone+" is gone", func() bool { return !has(gone) && d.title() != gone })
				deleted = append(deleted, gone)
				same(d, "deleting")
			}
		case 3:
			if last := len(deleted) - 1; last >= 0 {
				back := deleted[last]
				deleted = deleted[:last]
				d.undelete()
				d.until(back+" is shown again", func() bool { return has(back) && d.title() == back })
				same(d, "bringing back")
			}
		default:
			if all, _ := titles(); len(all) > 0 {
				d.Press(all[chance.IntN(min(len(all), 8))])
				d.until("the conversation is read", d.window.Settled)
				d.says("one thing more")
				same(d, "a message")
			}
		}
	}
	d.window.Close()
	same(keeping(t, s), "a restart")
}

// listed returns the titles in the sidebar from the top, and the number of rows marked as
// pinned. It first scrolls to the top, because the sidebar follows the shown conversation. Rows
// far out of sight do not exist.
func (d *desk) listed(titles []string) (all []string, pinned int) {
	d.ScrollAt(fyne.NewPos(sidebarWidth/2, 420), 100_000)
	for _, text := range d.sidebar() {
		if slices.Contains(titles, text) {
			all = append(all, text)
		}
	}
	return all, d.PageIcons("pin")
}

func TestImportOpensWhatItBrings(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("carried over")
	var b bytes.Buffer
	if err := s.ExportJSON(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	drop := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		d.drop(fyne.NewPos(600, 100), storage.NewFileURI(path))
	}
	count := func() int {
		list, err := s.Conversations(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	d.newChat()
	drop("talk.json", b.String())
	d.until("the imported conversation is opened", func() bool { return count() == 2 && d.title() == "carried over" && d.window.Settled() })
	d.says("and on")
	if got := d.model.read(); !slices.Equal(got, []string{"carried over", "You said: carried over", "and on"}) {
		t.Errorf("the model reads %q", got)
	}
	// A file with any other data is attached.
	drop("data.json", `{"format": "mine"}`)
	d.sees("data.json")
	// For a file that cannot be imported, the window gives its name and the reason, and changes
	// nothing.
	for text, want := range map[string]string{
		"{":       "broken.json can't be imported: byte 1: it ends too early.",
		`{"a":1}`: "broken.json can't be imported: goated did not export this file.",
	} {
		path := filepath.Join(dir, "broken.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		d.window.Import(path)
		d.sees(want)
	}
	if n := count(); n != 2 {
		t.Errorf("the history has %d conversations", n)
	}
}
