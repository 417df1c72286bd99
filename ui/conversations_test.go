package ui_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
)

// The title is there with the first message (requirement 3 of the persistence
// spec). After the conversation that is shown is deleted, the most recent of the
// others is shown, or an empty one (requirement 4).
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
	// The pinned conversation is on top, but not the most recent.
	d.Press("alpha")
	d.until("alpha is read", d.window.Settled)
	d.run("Pin the conversation, or unpin it")
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

// undelete brings back what was deleted last.
func (d *desk) undelete() {
	d.Shortcut(fyne.KeyZ, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift)
}

// The window keeps what it shows and says what is wrong where the history fails
// (property 9).
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
	d.act("You said: one", "Delete the message and its answer") // the toast lies over the message
	d.until("the window says so again", func() bool { return d.Icons("alert") > toasts+1 })
	if got := d.transcript(); !slices.Equal(got, before) || d.title() != "one" {
		t.Fatalf("the window shows %q", got)
	}
	d.Enter(searchField, "one")
	d.until("the search says so, too", func() bool { d.beats(2); return d.Says("The search failed. ") })
}

// Whatever the user does, the sidebar is in the order of the history, and so it is
// after a restart (property 2).
func TestListIsInTheOrderOfTheHistory(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	titles := func() (all []string) {
		list, err := s.Conversations(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list {
			all = append(all, c.Title)
		}
		return all
	}
	// Only the rows in sight exist.
	agrees := func(d *desk) bool {
		want, got := titles(), []string(nil)
		for _, text := range d.sidebar() {
			if slices.Contains(want, text) {
				got = append(got, text)
			}
		}
		return slices.Equal(got, want[:min(len(got), len(want))]) && len(got) >= min(len(want), 8)
	}
	same := func(after string) {
		t.Helper()
		d.until("the sidebar agrees with the history after "+after, func() bool { return d.window.Settled() && agrees(d) })
	}
	chance := rand.New(rand.NewPCG(2026, 11))
	steps := 120
	if testing.Short() {
		steps = 30
	}
	deleted := 0
	for n := range steps {
		d.later()
		there := d.title() != "New chat"
		switch chance.IntN(6) {
		case 0:
			d.newChat()
			d.says(fmt.Sprintf("conversation %d", n))
			same("a new conversation")
		case 1:
			if there {
				d.run("Pin the conversation, or unpin it")
				same("a pin")
			}
		case 2:
			if there {
				gone := d.title()
				d.run("Delete the conversation")
				d.until("the conversation is gone", func() bool { return !slices.Contains(titles(), gone) && d.title() != gone })
				deleted++
				same("deleting")
			}
		case 3:
			if deleted > 0 {
				before := len(titles())
				d.undelete()
				d.until("the conversation is back", func() bool { return len(titles()) == before+1 })
				deleted--
				same("bringing back")
			}
		default:
			if all := titles(); len(all) > 0 {
				d.Press(all[chance.IntN(min(len(all), 8))])
				d.until("the conversation is read", d.window.Settled)
				d.says("one thing more")
				same("a message")
			}
		}
	}
	d.window.Close()
	again := keeping(t, s)
	again.until("the sidebar agrees with the history after a restart", func() bool { return again.window.Settled() && agrees(again) })
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
	// Other data is attached.
	drop("data.json", `{"format": "mine"}`)
	d.sees("data.json")
	// A file that can't be imported is named with the reason, and changes nothing.
	for text, want := range map[string]string{
		"{":       "broken.json can't be imported: byte 1: unexpected end of JSON input.",
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
