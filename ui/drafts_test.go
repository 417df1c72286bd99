package ui_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/internal/store"
	"goated/ui"
)

// A draft is back after a restart, even if the process was killed: it is saved before the
// window closes.
func TestDraftIsSaved(t *testing.T) {
	s, path := archive(t)
	d := keeping(t, s)
	d.says("first")
	d.write("half a")
	d.newChat()
	d.write("of another")
	other, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	drafts := func() map[string]string {
		list, err := other.Conversations(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]string{}
		for _, c := range list {
			all[c.Title] = c.Draft
		}
		return all
	}
	d.until("the drafts are saved", func() bool { all := drafts(); return all["first"] == "half a" && all[""] == "of another" })

	again := keeping(t, other)
	again.until("the newest draft is shown", func() bool { return again.draft() == "of another" })
	again.Press("first")
	if got := again.draft(); got != "half a" {
		t.Errorf("the draft is %q", got)
	}
	again.until("the conversation is read", again.window.Settled)
	again.says("half a loaf")
	again.until("the sent message is no draft", func() bool { return drafts()["first"] == "" })
	// The last words before the window closes are saved, too.
	again.write("the last words")
	again.window.Close()
	if got := drafts()["first"]; got != "the last words" {
		t.Errorf("the draft is %q", got)
	}
}

// A conversation that only held a draft, and whose draft was deleted, is gone after a restart.
func TestEmptiedDraftLeavesNothing(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.write("x")
	d.until("the draft is saved", func() bool {
		list, err := s.Conversations(t.Context())
		return err == nil && len(list) == 1
	})
	d.write("")
	d.window.Close()
	again := keeping(t, s)
	again.until("the conversation is gone", func() bool {
		list, err := s.Conversations(t.Context())
		return err == nil && len(list) == 0
	})
	if n := strings.Count(strings.Join(again.sidebar(), "|"), "New chat"); n != 2 { // the button and the row
		t.Errorf("the sidebar has %q", again.sidebar())
	}
}

// A conversation opens at the reading position, even after a restart. After a new message it
// opens at its end.
func TestPlaceIsSaved(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	long := func(name string) string { return name + "\n" + strings.Repeat("words on a line\n", 20) } // few enough lines not to be folded
	d.says("the beginning\n" + strings.Repeat("a long line of words\n", 20))
	for _, name := range []string{"one", "two", "three"} {
		d.says(long(name))
	}
	middle := fyne.NewPos(700, 400)
	// top returns the name of the first visible message and its position.
	top := func(d *desk) (name string, y float32) {
		for _, name := range []string{"one", "two", "three"} {
			for nth := range 4 {
				if at, _, seen := d.Place(strings.TrimSpace(long(name)), nth); seen && at.X > sidebarWidth && at.Y > 60 {
					return name, at.Y
				}
			}
		}
		return "", 0
	}
	d.until("a message in the middle is in sight", func() bool {
		d.ScrollAt(middle, 200)
		name, y := top(d)
		return name == "two" && y > 200
	})
	name, y := top(d)
	d.newChat()
	d.Press("the beginning")
	if again, at := top(d); again != name || at < y-60 || at > y+60 {
		t.Fatalf("%q is at %v, not %q at %v", again, at, name, y)
	}
	d.window.Close()
	again := keeping(t, s)
	again.until("the conversation is read", func() bool { n, _ := top(again); return again.window.Settled() && n != "" })
	if now, at := top(again); now != name || at < y-60 || at > y+60 {
		t.Fatalf("after a restart %q is at %v, not %q at %v", now, at, name, y)
	}
	again.says("the end")
	again.window.Close()
	last := keeping(t, s)
	last.until("the end is in sight", func() bool {
		_, _, seen := last.Place("You said: the end", 1) // the first is the preview in the sidebar
		return seen && slices.Contains(last.messages(), "You said: the end")
	})
}

// Files of an unsent message are back after a restart with the bytes that were read, even if
// the file is gone. Files that were removed or sent are not.
func TestFilesOfADraftAreKept(t *testing.T) {
	s, path := archive(t)
	m := &reader{}
	options := func(s *store.Store) ui.Options {
		return ui.Options{History: s, Agent: ui.AgentOptions{NewSession: sessions(m.answer)}}
	}
	d := shown(t, options(s))
	put, data := files(t), photo(t)
	chart, notes := put("chart.png", data), put("notes.txt", []byte("the notes\n"))
	d.drop(fyne.NewPos(600, 200), chart, notes)
	d.until("two files are attached", func() bool { return d.Reads("chart.png") && d.Reads("notes.txt") })
	if err := os.Remove(chart.Path()); err != nil {
		t.Fatal(err)
	}
	kept := func() int { // what a process that starts after a kill would read
		other, err := store.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		list, err := other.Conversations(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, c := range list {
			thread, err := other.Thread(t.Context(), c.ID)
			if err != nil {
				t.Fatal(err)
			}
			n += len(thread.Unsent)
		}
		return n
	}
	d.until("the files are saved", func() bool { return kept() == 2 })
	d.window.Close()

	again := shown(t, options(s))
	again.until("the files are shown", func() bool {
		return again.Reads("chart.png") && again.Reads("notes.txt") && again.Pictures() == 1
	})
	again.says("what is it?")
	got := m.last()[0].Parts
	if len(got) != 3 || got[0].InlineData == nil || !bytes.Equal(got[0].InlineData.Data, data) || got[0].InlineData.DisplayName != "" ||
		!strings.Contains(got[1].Text, "the notes") || got[2].Text != "what is it?" {
		t.Fatalf("the model reads %+v", got)
	}
	again.until("sent files are no draft", func() bool { return kept() == 0 })
	again.drop(fyne.NewPos(600, 200), notes)
	again.until("the file is saved", func() bool { return kept() == 1 })
	again.window.Close()

	last := shown(t, options(s))
	last.until("one file is shown again", func() bool { return last.Count("notes.txt") == 2 })
	last.PressIcon("close", 0)
	last.until("a removed file is no draft", func() bool { return kept() == 0 })
}
