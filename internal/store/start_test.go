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

// What can't be opened says so with each use, and closes.
func TestStartOfWhatCannotBeOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file", "history.db")
	if err := os.WriteFile(filepath.Dir(path), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := store.Start(t.Context(), path)
	_, want := store.Open(t.Context(), path)
	for range 2 {
		if _, err := s.Create(t.Context()); err == nil || want == nil || !strings.Contains(err.Error(), want.Error()) {
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

// A turn that is stopped before the database is open does not wait for it.
func TestStoppedBeforeItIsOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	lock := flock.New(path + ".lock")
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	opening, giveUp := context.WithCancel(t.Context())
	defer giveUp()
	s := store.Start(opening, path)
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	began := make(chan error, 1)
	go func() {
		_, err := s.Begin(ctx, "any", "", say("hello"))
		began <- err
	}()
	select {
	case err := <-began:
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("it still waits")
		giveUp()
		<-began
	}
	giveUp()
	if err := s.Close(); err != nil {
		t.Error(err)
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
