package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"goated/agent"
	"goated/internal/store"
	"goated/internal/waittest"
)

// Methods of a store that is still being opened wait for it.
func TestMethodsWaitForStart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	lock := flock.New(path + ".lock") // Open waits for this lock
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	s := store.Start(t.Context(), path)
	made := make(chan store.Conversation, 1)
	go func() {
		c, err := s.Create(t.Context())
		if err != nil {
			t.Error(err)
		}
		made <- c
	}()
	brief, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.Conversations(brief); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("listing before the database is open: %v", err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	c := waittest.Receive(t, "the conversation is made", made)
	begin(t, s, c.ID, "", "first words")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := thread(t, open(t, path), c.ID); len(got.Turns) != 1 {
		t.Errorf("%d turns", len(got.Turns))
	}
}

// If the database cannot be opened, each read returns the reason, and Close works.
func TestStartFails(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file", "history.db")
	if err := os.WriteFile(filepath.Dir(path), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := store.Start(t.Context(), path)
	_, want := store.Open(t.Context(), path)
	for _, use := range []func() error{
		func() error { _, err := s.Conversations(t.Context()); return err },
		func() error { return s.Retry(t.Context()) },
	} {
		if err := use(); !errors.Is(err, store.ErrNotOpened) || want == nil || !strings.Contains(err.Error(), want.Error()) {
			t.Errorf("%v, not %v", err, want)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// unavailable returns a store whose database, with one conversation, cannot be opened until mount is
// called, as in a home folder that is mounted late.
func unavailable(t *testing.T) (s *store.Store, path string, mount func()) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	path = filepath.Join(dir, "history.db")
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	turn(t, s, create(t, s).ID, "", "before", "yes")
	if err := errors.Join(s.Close(), os.Rename(dir, dir+"-away"), os.WriteFile(dir, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	return store.Start(t.Context(), path), path, func() {
		t.Helper()
		if err := errors.Join(os.Remove(dir), os.Rename(dir+"-away", dir)); err != nil {
			t.Fatal(err)
		}
	}
}

// waiting records a conversation of two turns that have to wait. The second turn is running.
func waiting(t *testing.T, s *store.Store) (id string, last *store.Recorder) {
	t.Helper()
	c, err := s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	parent := ""
	for _, text := range []string{"one", "two"} {
		r, err := s.Begin(t.Context(), c.ID, parent, say(text))
		if r == nil || !errors.Is(err, store.ErrPending) || !errors.Is(err, store.ErrNotOpened) {
			t.Fatalf("%q begins with %v", text, err)
		}
		if err := r.Record(t.Context(), agent.ToolCalled{ID: "call-" + text, Name: "f"}); !errors.Is(err, store.ErrPending) {
			t.Fatal(err)
		}
		if text == "one" {
			if err := r.End(t.Context(), nil); !errors.Is(err, store.ErrPending) {
				t.Fatal(err)
			}
		}
		parent, last = r.ID, r
	}
	return c.ID, last
}

// waited checks that the turns from waiting are saved.
func waited(t *testing.T, s *store.Store, id string) {
	t.Helper()
	all, err := s.Conversations(t.Context())
	if err != nil || len(all) != 2 || all[0].ID != id || all[0].Title != "one" || all[1].Title != "before" {
		t.Fatalf("%+v, %v", all, err)
	}
	turns := thread(t, s, id).Turns
	if len(turns) != 2 || turns[0].User[0].Text != "one" || turns[1].User[0].Text != "two" || turns[0].Ended.IsZero() {
		t.Fatalf("%+v", turns)
	}
	for _, turn := range turns {
		if len(turn.Events) != 1 {
			t.Errorf("%d events", len(turn.Events))
		}
	}
}

// Turns that are recorded while the database cannot be opened wait. Retry saves them in order, after
// the earlier turns.
func TestRetry(t *testing.T) {
	t.Parallel()
	s, path, mount := unavailable(t)
	id, last := waiting(t, s)
	if err := s.SetDraft(t.Context(), id, "a draft", nil); !errors.Is(err, store.ErrNotOpened) {
		t.Errorf("a draft was saved: %v", err)
	}
	if err := s.Retry(t.Context()); !errors.Is(err, store.ErrNotOpened) {
		t.Fatalf("Retry opened a missing database: %v", err)
	}
	mount()
	if err := s.Retry(t.Context()); err != nil {
		t.Fatal(err)
	}
	for reason := range s.Pending(t.Context()) {
		if reason != nil {
			t.Errorf("data still waits: %v", reason)
		}
		break
	}
	waited(t, s, id)
	if err := errors.Join(last.Record(t.Context(), agent.TextDelta{Text: "done"}), last.End(t.Context(), nil), s.SetDraft(t.Context(), id, "a draft", nil), s.Close()); err != nil {
		t.Fatal(err)
	}
	if err := s.Retry(t.Context()); err == nil {
		t.Error("a closed store opened")
	}
	again := open(t, path)
	if turns := thread(t, again, id).Turns; len(turns) != 2 || len(turns[1].Events) != 2 || turns[1].Ended.IsZero() {
		t.Errorf("%+v", turns)
	}
}

// Closing a store that was never opened makes one more attempt to save the waiting turns. If that
// fails, Close returns an error.
func TestCloseTriesToOpenAgain(t *testing.T) {
	t.Parallel()
	s, path, mount := unavailable(t)
	id, _ := waiting(t, s)
	mount()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	waited(t, open(t, path), id)

	s, _, _ = unavailable(t)
	waiting(t, s)
	if err := s.Close(); !errors.Is(err, store.ErrPending) || !errors.Is(err, store.ErrNotOpened) {
		t.Errorf("Close returned %v", err)
	}
	if _, err := s.Create(t.Context()); err == nil {
		t.Error("a closed store created a conversation")
	}
}

// A turn that is stopped before the database is open does not wait for it, and is saved.
func TestTurnStoppedBeforeStartEnds(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	lock := flock.New(path + ".lock")
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	s := store.Start(t.Context(), path)
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	began := make(chan error, 1)
	go func() {
		c, err := s.Create(ctx)
		if err != nil {
			t.Error(err)
		}
		r, err := s.Begin(ctx, c.ID, "", say("hello"))
		if r != nil {
			err = errors.Join(err, r.End(ctx, ctx.Err()))
		}
		began <- err
	}()
	select {
	case err := <-began:
		if !errors.Is(err, store.ErrPending) {
			t.Error(err)
		}
	case <-time.After(8 * time.Second): // before the attempt to open ends
		t.Error("Begin still waits")
		waittest.Receive(t, "Begin returns", began)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	again := open(t, path)
	if got := list(t, again); len(got) != 1 || got[0].Title != "hello" {
		t.Errorf("saved: %+v", got)
	}
}

// Ending the context of Start ends the attempt to open.
func TestStartEndsWithItsContext(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	lock := flock.New(path + ".lock")
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	ctx, cancel := context.WithCancel(t.Context())
	s := store.Start(ctx, path)
	cancel()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := s.Create(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("a closed store created a conversation: %v", err)
	}
}
