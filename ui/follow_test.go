package ui_test

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/store"
)

// elsewhere opens the history as another process such as "goated chat" would.
func elsewhere(t *testing.T, path string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// terminal adds a turn to a conversation like a chat in the terminal. It returns the turn's ID.
func terminal(t *testing.T, s *store.Store, conversation, parent, said, answer string) string {
	t.Helper()
	r := begins(t, s, conversation, parent, said)
	if err := r.Record(t.Context(), agent.TextDelta{Text: answer}); err != nil {
		t.Fatal(err)
	}
	if err := r.Contents(t.Context(), []*genai.Content{
		{Role: genai.RoleUser, Parts: []*genai.Part{{Text: said}}}, {Role: genai.RoleModel, Parts: []*genai.Part{{Text: answer}}},
	}); err != nil {
		t.Fatal(err)
	}
	if err := r.Record(t.Context(), agent.TurnEnded{Reason: agent.Done}); err != nil {
		t.Fatal(err)
	}
	if err := r.End(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return r.ID
}

func begins(t *testing.T, s *store.Store, conversation, parent, said string) *store.Recorder {
	t.Helper()
	r, err := s.Begin(t.Context(), conversation, parent, []*genai.Part{{Text: said}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The window shows what a chat in the terminal adds to the open conversation, and the sidebar
// shows the terminal's new conversations. A message in the window follows what was said in the
// terminal instead of hiding it as another version (a stranger's finding).
func TestWindowFollowsTheTerminal(t *testing.T) {
	s, path := archive(t)
	other := elsewhere(t, path)
	d := keeping(t, s)
	d.says("from the window")
	list, err := other.Conversations(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatalf("%d conversations, %v", len(list), err)
	}
	shows := func(text string) bool {
		return slices.ContainsFunc(d.transcript(), func(line string) bool { return strings.Contains(line, text) })
	}
	terminal(t, other, list[0].ID, list[0].Active, "from the terminal", "an answer in the terminal")
	d.until("the window shows the terminal's turn", func() bool { return shows("from the terminal") && shows("an answer in the terminal") })
	d.says("and again from the window")
	kept, err := other.Thread(t.Context(), list[0].ID)
	if err != nil || len(kept.Turns) != 3 || len(kept.Turns[1].Siblings) != 1 {
		t.Fatalf("the conversation forked: %+v, %v", kept.Turns, err)
	}
	if h := kept.History(); len(h) != 6 {
		t.Errorf("the history has %d contents", len(h))
	}
	if said := d.model.read(); !slices.Contains(said, "an answer in the terminal") {
		t.Errorf("the model did not read what the terminal said: %q", said)
	}

	fresh, err := other.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	last := terminal(t, other, fresh.ID, "", "begun in the terminal", "yes")
	d.until("the sidebar has the terminal's conversation", func() bool { return slices.Contains(d.sidebar(), "begun in the terminal") })
	d.Press("begun in the terminal")
	d.until("the conversation is read", d.window.Settled)
	r := begins(t, other, fresh.ID, last, "a long question")
	d.until("the question is there", func() bool { return shows("a long question") })
	for _, text := range []string{"It begins", " and goes on"} {
		if err := r.Record(t.Context(), agent.TextDelta{Text: text}); err != nil {
			t.Fatal(err)
		}
		d.until("the answer grows", func() bool { return shows("It begins"+text) || text == "It begins" && shows(text) })
	}
	if shows("goated quit during this turn") {
		t.Error("the window takes a turn under way for one that was cut off")
	}
	if err := r.End(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := other.Rename(t.Context(), fresh.ID, "Renamed elsewhere"); err != nil {
		t.Fatal(err)
	}
	d.until("the new title is there", func() bool {
		return d.title() == "Renamed elsewhere" && slices.Contains(d.sidebar(), "Renamed elsewhere")
	})
	if err := other.Delete(t.Context(), fresh.ID); err != nil {
		t.Fatal(err)
	}
	d.until("the deleted conversation is gone", func() bool {
		return d.title() == "from the window" && !slices.Contains(d.sidebar(), "Renamed elsewhere")
	})
	d.sees("Another goated deleted “Renamed elsewhere”.")
	d.undelete()
	d.until("it is back", func() bool { return d.title() == "Renamed elsewhere" && shows("It begins and goes on") })
}

// The user may send a message before the window has seen what another process added. The
// message still follows it, and the window says so.
func TestMessageAtTheSameTimeAsTheTerminal(t *testing.T) {
	s, path := archive(t)
	other := elsewhere(t, path)
	d := keeping(t, s)
	d.says("from the window")
	list, err := other.Conversations(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatalf("%d conversations, %v", len(list), err)
	}
	d.write("at the same time")
	terminal(t, other, list[0].ID, list[0].Active, "from the terminal", "an answer in the terminal")
	d.Key(fyne.KeyReturn)
	d.settled()
	d.sees("Another window or terminal continued this conversation. Your message comes after that.")
	kept, err := other.Thread(t.Context(), list[0].ID)
	if err != nil || len(kept.Turns) != 3 || len(kept.Turns[1].Siblings) != 1 || len(kept.History()) != 6 {
		t.Fatalf("the conversation forked: %+v, %v", kept.Turns, err)
	}
	want := []string{"from the terminal", "an answer in the terminal", "at the same time"}
	d.until("the window shows all in order", func() bool {
		got := strings.Join(d.transcript(), "\n")
		at := 0
		for _, text := range want {
			i := strings.Index(got[at:], text)
			if i < 0 {
				return false
			}
			at += i
		}
		return true
	})
}
