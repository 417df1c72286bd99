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
)

// A store that is still being opened keeps what is said to it.
func TestStartKeepsWhatComesBeforeItIsOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	lock := flock.New(path + ".lock") // Open waits for it
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
		t.Errorf("a list of what is not open yet: %v", err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	c := <-made
	begin(t, s, c.ID, "", "first words")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := thread(t, open(t, path), c.ID); len(got.Turns) != 1 {
		t.Errorf("%d turns are kept", len(got.Turns))
	}
}

// What can't be opened says so with each reading, and closes.
func TestStartOfWhatCannotBeOpened(t *testing.T) {
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
		if err := use(); !errors.Is(err, store.ErrUnopened) || want == nil || !strings.Contains(err.Error(), want.Error()) {
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

// barred is a history with one conversation that can't be opened until free is
// called, as in a home folder that comes late.
func barred(t *testing.T) (s *store.Store, path string, free func()) {
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

// waiting says what has to wait: a conversation of two turns, one of which has
// not ended.
func waiting(t *testing.T, s *store.Store) (id string, going *store.Recorder) {
	t.Helper()
	c, err := s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	parent := ""
	for _, text := range []string{"one", "two"} {
		r, err := s.Begin(t.Context(), c.ID, parent, say(text))
		if r == nil || !errors.Is(err, store.ErrPending) || !errors.Is(err, store.ErrUnopened) {
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
		parent, going = r.ID, r
	}
	return c.ID, going
}

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
	for _, kept := range turns {
		if len(kept.Events) != 1 {
			t.Errorf("%d events", len(kept.Events))
		}
	}
}

// What is said while the history can't be opened waits, and is in it, in its order
// and after what was there, as soon as another attempt opens it.
func TestRetry(t *testing.T) {
	s, path, free := barred(t)
	id, going := waiting(t, s)
	if err := s.SetDraft(t.Context(), id, "a draft"); !errors.Is(err, store.ErrUnopened) {
		t.Errorf("a draft is kept: %v", err)
	}
	if err := s.Retry(t.Context()); !errors.Is(err, store.ErrUnopened) {
		t.Fatalf("it opens what is not there: %v", err)
	}
	free()
	if err := s.Retry(t.Context()); err != nil {
		t.Fatal(err)
	}
	for why := range s.Pending(t.Context()) {
		if why != nil {
			t.Errorf("still waiting: %v", why)
		}
		break
	}
	waited(t, s, id)
	if err := errors.Join(going.Record(t.Context(), agent.TextDelta{Text: "done"}), going.End(t.Context(), nil), s.SetDraft(t.Context(), id, "a draft"), s.Close()); err != nil {
		t.Fatal(err)
	}
	if err := s.Retry(t.Context()); err == nil {
		t.Error("a closed store opens")
	}
	again := open(t, path)
	if turns := thread(t, again, id).Turns; len(turns) != 2 || len(turns[1].Events) != 2 || turns[1].Ended.IsZero() {
		t.Errorf("%+v", turns)
	}
}

// Who closes what never opened gets what waits into it, if that is possible by
// then, and is told if not.
func TestCloseTriesOnceMore(t *testing.T) {
	s, path, free := barred(t)
	id, _ := waiting(t, s)
	free()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	waited(t, open(t, path), id)

	s, _, _ = barred(t)
	waiting(t, s)
	if err := s.Close(); !errors.Is(err, store.ErrPending) || !errors.Is(err, store.ErrUnopened) {
		t.Errorf("it is not said what is lost: %v", err)
	}
	if _, err := s.Create(t.Context()); err == nil {
		t.Error("a closed store made a conversation")
	}
}

// A turn that is stopped before the database is open does not wait for it, and is
// kept all the same.
func TestStoppedBeforeItIsOpen(t *testing.T) {
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
	case <-time.After(8 * time.Second): // before it is given up
		t.Error("it still waits")
		<-began
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	again := open(t, path)
	if got := list(t, again); len(got) != 1 || got[0].Title != "hello" {
		t.Errorf("kept are %+v", got)
	}
}

// Who ends before the database is open does not wait for it.
func TestStartEndsWithItsContext(t *testing.T) {
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
		t.Errorf("a closed store made a conversation: %v", err)
	}
}
