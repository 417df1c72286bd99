package store_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"goated/agent"
	"goated/internal/store"
)

// The tests below follow the requirements in the persistence spec. Its properties are tested in other
// files: 1 to 6 in property_test.go, 8, 9 and 12 in limit_test.go, 7 in cascade_test.go, 10 and 11 in
// search_test.go. The tests of package ui cover the requirements on the window.

// Requirement 1: messages are saved when they are sent, and the latest conversation is shown at the
// start.
func TestLatestAtStart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	s := open(t, path)
	turn(t, s, create(t, s).ID, "", "older", "yes")
	c := create(t, s)
	r := begin(t, s, c.ID, "", "newer")
	if err := r.Record(t.Context(), agent.ToolCalled{ID: "call-1", Name: "f"}); err != nil {
		t.Fatal(err)
	}
	other := open(t, path) // as after a crash: nothing was closed
	latest := list(t, other)[0]
	if got := thread(t, other, latest.ID); latest.ID != c.ID || len(got.Turns) != 1 || len(got.Turns[0].Events) != 1 {
		t.Fatalf("%+v", got)
	}
}

// Requirement 2: the list contains a preview and a time, and follows each change.
func TestListFollows(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	a, b := create(t, s), create(t, s)
	turn(t, s, a.ID, "", "hello", "Good morning!")
	all := list(t, s)
	if all[0].ID != a.ID || all[0].Preview != "Good morning!" || !all[0].Updated.After(a.Updated) || all[1].ID != b.ID {
		t.Fatalf("%+v", all)
	}
}

// Requirement 3: a new conversation has a UUID. Its title is the first line of the first message, cut
// at a word, unless the user renames it. If that message is only a greeting, the next one provides the
// title.
func TestTitle(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	for ask, want := range map[string]string{
		"hello world":               "hello world",
		"\n  two\t words \nthree":   "two words",
		strings.Repeat("word ", 20): strings.TrimSpace(strings.Repeat("word ", 12)) + "…",
		strings.Repeat("日", 70):     strings.Repeat("日", 59) + "…",
		strings.Repeat("x", 60):     strings.Repeat("x", 60),
		" ":                         "",
	} {
		c := create(t, s)
		if uuid.Validate(c.ID) != nil || c.Title != "" {
			t.Fatalf("%+v", c)
		}
		id := turn(t, s, c.ID, "", ask, "answer")
		if got := conversation(t, s, c.ID).Title; got != want {
			t.Errorf("%q gets the title %q", ask, got)
		}
		if turn(t, s, c.ID, id, "second", "answer"); want != "" && conversation(t, s, c.ID).Title != want {
			t.Errorf("the second message changed %q", want)
		}
		if turn(t, s, c.ID, "", "an edited message", "answer"); conversation(t, s, c.ID).Title != "an edited message" {
			t.Error("editing the first message did not change the title")
		}
		if err := s.Rename(t.Context(), c.ID, " my \n name "); err != nil {
			t.Fatal(err)
		}
		if turn(t, s, c.ID, "", "a third", "answer"); conversation(t, s, c.ID).Title != "my name" {
			t.Error("a message changed a title that the user set")
		}
	}
}

func TestTitleAfterAGreeting(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	for _, ask := range []string{"hello", "Hi!", "Good morning.", "你好"} {
		c := create(t, s)
		last := turn(t, s, c.ID, "", ask, "answer")
		if got := conversation(t, s, c.ID).Title; got != ask {
			t.Errorf("%q gets the title %q", ask, got)
		}
		last = turn(t, s, c.ID, last, "What is new?", "answer")
		if got := conversation(t, s, c.ID).Title; got != "What is new?" {
			t.Errorf("the message after %q leaves the title %q", ask, got)
		}
		if turn(t, s, c.ID, last, "a third", "answer"); conversation(t, s, c.ID).Title != "What is new?" {
			t.Error("a third message changed the title")
		}
	}
	c := create(t, s)
	last := turn(t, s, c.ID, "", "a question", "answer")
	if err := s.Rename(t.Context(), c.ID, "hello"); err != nil {
		t.Fatal(err)
	}
	if turn(t, s, c.ID, last, "another", "answer"); conversation(t, s, c.ID).Title != "hello" {
		t.Error("a message changed a title that the user set")
	}
}

// Requirement 4: deleting a conversation deletes its messages and does not affect the others. If it
// fails, nothing changes.
func TestDeleteConversation(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	a, b := create(t, s), create(t, s)
	turn(t, s, b.ID, "", "ask", "answer")
	if err := s.Delete(t.Context(), uuid.NewString()); !errors.Is(err, store.ErrNotFound) || len(list(t, s)) != 2 {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), b.ID); err != nil {
		t.Fatal(err)
	}
	if all := list(t, s); len(all) != 1 || all[0].ID != a.ID {
		t.Fatalf("%+v", all)
	}
	if _, err := s.Thread(t.Context(), b.ID); !errors.Is(err, store.ErrNotFound) {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), a.ID); err != nil || len(list(t, s)) != 0 {
		t.Fatal(err)
	}
	if err := s.Undelete(t.Context(), b.ID); err != nil || len(thread(t, s, b.ID).Turns) != 1 {
		t.Fatal(err)
	}
}

// Requirement 5 is tested in quarantine_test.go, full_test.go and kill_test.go, 6 in
// search_test.go.

// Requirement 7: tool calls are part of their turn, between its texts.
func TestCallsAreNested(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	c, err := converse(t.Context(), s, 1, func(ack) {})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range thread(t, s, c).Turns[0].Events {
		if got, want := encode(t, e), encode(t, eventsOf(0)[i]); got != want {
			t.Errorf("%s instead of %s", got, want)
		}
	}
}

// Requirement 8: the list shows each state of a turn as soon as it is acknowledged, including in other
// processes that have the file open.
func TestLiveSidebar(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	s, other := open(t, path), open(t, path)
	list := func() []store.Conversation {
		t.Helper()
		all, err := other.Conversations(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	c := create(t, s)
	r := begin(t, s, c.ID, "", "hello")
	if all := list(); len(all) != 1 || all[0].Title != "hello" || all[0].Preview != "hello" || all[0].Active != r.ID {
		t.Fatalf("%+v", all)
	}
	if err := errors.Join(r.Record(t.Context(), agent.TextDelta{Text: "Good day."}), r.End(t.Context(), nil)); err != nil {
		t.Fatal(err)
	}
	if all := list(); len(all) != 1 || all[0].Preview != "Good day." {
		t.Fatalf("%+v", all)
	}
	if err := s.Delete(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}
	if all := list(); len(all) != 0 {
		t.Fatalf("%+v", all)
	}
}
