package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/agent"
)

// full opens a store and returns a function that fills its disk or frees space.
func full(t *testing.T) (*Store, func(bool)) {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "history.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	s.base.wait.retry = 20 * time.Millisecond
	s.base.db.sql.SetMaxOpenConns(1) // the page limit applies to one connection
	return s, func(full bool) {
		pages := 1 << 20
		if full { // SQLite raises the limit to the present size
			pages = 1
		}
		if err := s.base.db.sql.QueryRow(fmt.Sprintf(`PRAGMA max_page_count = %d`, pages)).Scan(&pages); err != nil {
			t.Fatal(err)
		}
	}
}

func words(text string) []*genai.Part { return []*genai.Part{{Text: text}} }

// begun creates a conversation with a running turn.
func begun(t *testing.T, s *Store) (Conversation, *Recorder) {
	t.Helper()
	c, err := s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Begin(t.Context(), c.ID, "", words("a question"))
	if err != nil {
		t.Fatal(err)
	}
	return c, r
}

// F44: on a full disk each method reports that. Acknowledged data is there. The rest waits, and is
// saved when there is space again.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s, fill := full(t)
	c, r := begun(t, s)
	if err := r.Record(ctx, agent.TextDelta{Text: "first"}); err != nil {
		t.Fatal(err)
	}
	fill(true)
	huge := strings.Repeat("much ", 100_000)
	next, begun := s.Begin(ctx, c.ID, r.ID, words(huge))
	for method, err := range map[string]error{
		"begin":    begun,
		"record":   r.Record(ctx, agent.ToolReturned{Error: huge}),
		"contents": r.Contents(ctx, []*genai.Content{{Role: genai.RoleModel, Parts: words(huge)}}),
		"end":      next.End(ctx, errors.New("no more")),
	} {
		if !errors.Is(err, ErrFull) || !errors.Is(err, ErrPending) {
			t.Errorf("%s: %v", method, err)
		}
	}
	if err := s.SetDraft(ctx, c.ID, huge, nil); !errors.Is(err, ErrFull) || errors.Is(err, ErrPending) {
		t.Errorf("draft: %v", err)
	}
	if got, err := s.Thread(ctx, c.ID); err != nil || len(got.Turns) != 1 || got.Turns[0].User[0].Text != "a question" {
		t.Fatalf("%+v, %v", got, err)
	}
	if reason := first(s.Pending(ctx)); !errors.Is(reason, ErrFull) {
		t.Fatal(reason)
	}
	fill(false)
	if err := errors.Join(r.Record(ctx, agent.TextDelta{Text: "second"}), r.End(ctx, nil)); err != nil {
		t.Fatal(err)
	}
	saved(t, s)
	got, err := s.Thread(ctx, c.ID)
	if err != nil || len(got.Turns) != 2 {
		t.Fatalf("%d turns, %v", len(got.Turns), err)
	}
	events := got.Turns[0].Events
	if len(events) != 3 || events[0] != (agent.TextDelta{Text: "first"}) || events[2] != (agent.TextDelta{Text: "second"}) || len(got.Turns[0].Contents) != 1 {
		t.Errorf("%d events", len(events))
	}
	if last := got.Turns[1]; last.User[0].Text != huge || last.Error != "no more" || last.Ended.IsZero() {
		t.Errorf("the waiting turn ended with %q", last.Error)
	}
}

// A conversation that starts on a full disk waits completely, turn after turn. It is saved without
// another call when there is space.
func TestConversationWaits(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s, fill := full(t)
	fill(true)
	// Use up the free space on the pages of the file.
	for i := 0; ; i++ {
		c, err := s.Create(ctx)
		if err != nil || i > 1000 {
			t.Fatal(err)
		}
		if len(s.pending.conversations) > 0 {
			break
		}
		if r, err := s.Begin(ctx, c.ID, "", words(strings.Repeat("much ", 1000))); err == nil {
			_ = r.End(ctx, nil)
		}
	}
	c, err := s.Create(ctx)
	if err != nil {
		t.Fatal(err)
	}
	parent := ""
	for number := range 3 {
		r, err := s.Begin(ctx, c.ID, parent, words(fmt.Sprint("question ", number)))
		if !errors.Is(err, ErrPending) {
			t.Fatal(err)
		}
		if r.Title != fmt.Sprint("question ", number) {
			t.Errorf("title %q", r.Title)
		}
		for _, err := range []error{r.Record(ctx, agent.TurnEnded{Reason: agent.Done}), r.End(ctx, nil)} {
			if !errors.Is(err, ErrPending) {
				t.Fatal(err)
			}
		}
		if err := r.Record(ctx, agent.TurnEnded{}); !errors.Is(err, ErrEnded) {
			t.Errorf("recording after the end: %v", err)
		}
		parent = r.ID
	}
	if err := s.Rename(ctx, c.ID, "x"); !errors.Is(err, ErrFull) {
		t.Errorf("renaming a waiting conversation: %v", err)
	}
	fill(false)
	saved(t, s)
	got, err := s.Thread(ctx, c.ID)
	if err != nil || len(got.Turns) != 3 || got.Conversation.Title != "question 0" || got.Turns[2].Ended.IsZero() || len(got.Turns[2].Events) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
}

// If a model changes from thinking to answering on a full disk, the whole answer waits, too.
func TestAnswerAfterThoughtWaits(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s, fill := full(t)
	c, r := begun(t, s)
	fill(true)
	if err := r.Record(ctx, agent.ToolReturned{Error: strings.Repeat("much ", 100_000)}); !errors.Is(err, ErrPending) {
		t.Fatal(err)
	}
	for _, e := range []agent.Event{agent.ThoughtDelta{Text: "hm"}, agent.TextDelta{Text: "Yes"}, agent.TextDelta{Text: ", so it is."}} {
		if err := r.Record(ctx, e); err != nil && !errors.Is(err, ErrPending) {
			t.Fatal(err)
		}
	}
	fill(false)
	if err := r.End(ctx, nil); err != nil {
		t.Fatal(err)
	}
	got, err := s.Thread(ctx, c.ID)
	if err != nil {
		t.Fatal(err)
	}
	events := got.Turns[0].Events
	if len(events) != 3 || events[1] != (agent.ThoughtDelta{Text: "hm"}) || events[2] != (agent.TextDelta{Text: "Yes, so it is."}) {
		t.Errorf("%+v", events[1:])
	}
}

// Close reports that turns could not be saved.
func TestCloseOnAFullDisk(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s, fill := full(t)
	c, err := s.Create(ctx)
	if err != nil {
		t.Fatal(err)
	}
	fill(true)
	if _, err := s.Begin(ctx, c.ID, "", words(strings.Repeat("much ", 100_000))); !errors.Is(err, ErrPending) {
		t.Fatal(err)
	}
	if err := s.Close(); !errors.Is(err, ErrFull) {
		t.Errorf("closing: %v", err)
	}
}

// While another process has locked the database, only the first event waits for the lock. The turn is
// saved when that process releases the lock.
func TestLockedByAnotherProcess(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s, _ := full(t)
	c, err := s.Create(ctx)
	if err != nil {
		t.Fatal(err)
	}
	const wait = 200 * time.Millisecond
	s.base.wait.lock = wait
	r, err := s.Begin(ctx, c.ID, "", words("a question"))
	if err != nil {
		t.Fatal(err)
	}
	release := lockDatabase(t, s)
	began := time.Now()
	for range 100 {
		if err := r.Record(ctx, agent.ToolReturned{Error: "none"}); !errors.Is(err, ErrPending) || !errors.Is(err, ErrLocked) {
			t.Fatal(err)
		}
	}
	next, err := s.Begin(ctx, c.ID, r.ID, words("another question"))
	if !errors.Is(err, ErrPending) {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 10*wait {
		t.Errorf("it took %v", took)
	}
	release()
	saved(t, s)
	if err := errors.Join(r.End(ctx, nil), next.End(ctx, nil)); err != nil {
		t.Fatal(err)
	}
	got, err := s.Thread(ctx, c.ID)
	if err != nil || len(got.Turns) != 2 || len(got.Turns[0].Events) != 100 {
		t.Errorf("%d turns, %v", len(got.Turns), err)
	}
}

func first[T any](seq func(func(T) bool)) (out T) {
	for v := range seq {
		return v
	}
	return out
}

// saved waits until everything is on the disk.
func saved(t *testing.T, s *Store) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for reason := range s.Pending(ctx) {
		if reason == nil {
			return
		}
	}
	t.Fatal("data still waits in memory")
}

// Writing the same data twice changes nothing, because after a failed commit the data may already be on
// the disk.
func TestWritingTwice(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s, _ := full(t)
	c, r := begun(t, s)
	before := r.last
	for range 2 {
		r.last = before
		if err := r.Record(ctx, agent.ToolReturned{ID: "1", Error: "no"}); err != nil {
			t.Fatal(err)
		}
	}
	again := func(tx *sql.Tx) error { return insertConversation(ctx, tx, c.ID, 1) }
	if err := s.base.commit(ctx, "again", again); err != nil {
		t.Fatal(err)
	}
	got, err := s.Thread(ctx, c.ID)
	if err != nil || len(got.Turns) != 1 || len(got.Turns[0].Events) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
}
