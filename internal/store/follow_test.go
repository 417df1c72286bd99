package store_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/store"
	"goated/internal/waittest"
)

func message(text string) []*genai.Part { return []*genai.Part{genai.NewPartFromText(text)} }

// A message that continues a conversation must not hide what another process added. Otherwise it would
// become another version of that process's turn.
func TestNextTurnFollowsThoseOfOtherProcesses(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "history.db")
	here, there := open(t, path), open(t, path)
	c := create(t, here)
	first := turn(t, here, c.ID, "", "first", "yes")
	other := turn(t, there, c.ID, first, "other", "yes")
	if r, err := here.BeginNext(ctx, c.ID, first, message("hides it")); r != nil || !errors.Is(err, store.ErrContinuedElsewhere) {
		t.Fatalf("a message beside another process's: %v, %v", r, err)
	}
	if got := thread(t, here, c.ID).Turns; len(got) != 2 || got[1].ID != other || len(got[1].Siblings) != 1 {
		t.Fatalf("the refused message changed the conversation: %+v", got)
	}
	r, err := here.BeginNext(ctx, c.ID, other, message("follows it"))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.End(ctx, nil); err != nil {
		t.Fatal(err)
	}
	if got := thread(t, there, c.ID).Turns; len(got) != 3 || got[2].ID != r.ID {
		t.Fatalf("the message does not follow: %+v", got)
	}
}

// Changes yields for turns, titles and deletions of another process, and does not yield while nothing
// changes.
func TestChangesOfOtherProcesses(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	path := filepath.Join(t.TempDir(), "history.db")
	here, there := open(t, path), open(t, path)
	mine := create(t, here)
	seen := make(chan []store.Conversation)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for range here.Changes(ctx) {
			list, err := here.Conversations(ctx)
			if err != nil && ctx.Err() == nil {
				t.Error(err)
			}
			select {
			case seen <- list:
			case <-ctx.Done():
				return
			}
		}
	}()
	until := func(what string, ok func(list []store.Conversation) bool, do func()) {
		t.Helper()
		late := time.After(20 * time.Second)
		again := time.NewTicker(50 * time.Millisecond) // the watch starts a moment after Changes
		defer again.Stop()
		for first := true; ; {
			select {
			case list := <-seen:
				if ok(list) {
					return
				}
			case <-again.C:
				if first || what == "a turn" {
					do()
				}
				first = false
			case <-late:
				t.Fatalf("Changes did not tell of %s", what)
			}
		}
	}
	last := ""
	of := func(list []store.Conversation) (c store.Conversation) {
		if i := slices.IndexFunc(list, func(c store.Conversation) bool { return c.ID == mine.ID }); i >= 0 {
			c = list[i]
		}
		return c
	}
	until("a turn", func(list []store.Conversation) bool { return last != "" && of(list).Active == last },
		func() { last = turn(t, there, mine.ID, last, "hello", "yes") })
	until("a title", func(list []store.Conversation) bool { return of(list).Title == "renamed" },
		func() { _ = there.Rename(ctx, mine.ID, "renamed") })
	until("a deletion", func(list []store.Conversation) bool { return of(list).ID == "" },
		func() { _ = there.Delete(ctx, mine.ID) })
	stop()
	waittest.Receive(t, "the watch ends", ended)
}

// The stamp of a conversation changes with each piece of an answer that another process records.
// Otherwise it stays the same.
func TestStampFollowsAnAnswer(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "history.db")
	here, there := open(t, path), open(t, path)
	c := create(t, here)
	stamps := []string{"none"}
	changed := func(what string) {
		t.Helper()
		for range 2 {
			list, err := here.Conversations(ctx)
			if err != nil {
				t.Fatal(err)
			}
			stamps = append(stamps, list[0].Stamp)
		}
		if n := len(stamps); stamps[n-1] != stamps[n-2] || stamps[n-2] == stamps[n-3] {
			t.Errorf("after %s the stamps are %q", what, stamps[n-3:])
		}
		if got := thread(t, here, c.ID).Conversation.Stamp; got != stamps[len(stamps)-1] {
			t.Errorf("after %s Thread has the stamp %q, not %q", what, got, stamps[len(stamps)-1])
		}
	}
	changed("nothing")
	r, err := there.Begin(ctx, c.ID, "", message("go"))
	if err != nil {
		t.Fatal(err)
	}
	changed("a message")
	for _, text := range []string{"one ", "two"} {
		if err := r.Record(ctx, agent.TextDelta{Text: text}); err != nil {
			t.Fatal(err)
		}
		thread(t, there, c.ID) // writes the text
		changed("the text " + text)
	}
	if err := r.End(ctx, nil); err != nil {
		t.Fatal(err)
	}
	changed("the end")
	turn(t, there, c.ID, "", "another version", "yes")
	changed("another version")
}
