package store

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"goated/agent"
	"goated/internal/waittest"

	"github.com/gofrs/flock"
)

// shortTiming waits for other processes for the given time, and hardly at all for everything else.
func shortTiming(lock time.Duration) timing {
	times := defaultTiming()
	times.lock, times.leave, times.last, times.retry = lock, 200*time.Millisecond, 200*time.Millisecond, 20*time.Millisecond
	return times
}

// lockDatabase locks the database, as another process would, until the returned
// function is called.
func lockDatabase(t *testing.T, s *Store) (release func()) {
	t.Helper()
	other, err := sql.Open("sqlite", dataSourceName(s.base.path))
	if err != nil {
		t.Fatal(err)
	}
	lock, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	release = sync.OnceFunc(func() { _, _ = lock.Rollback(), other.Close() })
	t.Cleanup(release)
	return release
}

// A reader waits for another process as a writer does, although its transaction takes the lock late.
// With a WAL that is rare. Here the other process holds an exclusive lock.
func TestReadersWaitForTheLock(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "history.db")
	s, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Create(ctx); err != nil {
		t.Fatal(err)
	}
	// Without a WAL, readers lock the file only while they read.
	s.base.db.sql.SetMaxOpenConns(1)
	var mode string
	if err := s.base.db.sql.QueryRow(`PRAGMA journal_mode = delete`).Scan(&mode); err != nil || mode != "delete" {
		t.Fatal(mode, err)
	}
	other, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.SetMaxOpenConns(1)
	if _, err := other.Exec(`BEGIN EXCLUSIVE`); err != nil {
		t.Fatal(err)
	}
	released := make(chan error, 1)
	s.base.wait.after = func(d time.Duration) <-chan time.Time { // the reader waits
		if len(released) == 0 {
			_, err := other.Exec(`ROLLBACK`)
			released <- err
		}
		return time.After(d)
	}
	if all, err := s.Conversations(ctx); err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
	select {
	case err := <-released:
		if err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("the reader did not wait")
	}
}

// Opening a locked database ends when its context ends.
func TestOpenWhileLockedEndsWithContext(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	lockDatabase(t, s)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	began := time.Now()
	o := Start(ctx, path)
	_, err = o.Conversations(t.Context())
	if took := time.Since(began); err == nil || took > 3*time.Second {
		t.Errorf("%v after %v", err, took)
	}
	if err := o.Close(); err != nil {
		t.Error(err)
	}
}

// While another process prevents Start from opening the database, methods return the reason, and turns
// wait. Close takes little time, even during an attempt, and the next start has the turns.
func TestStartWhileLocked(t *testing.T) {
	t.Parallel()
	for name, patience := range map[string]time.Duration{"gave up": 100 * time.Millisecond, "still waiting": time.Hour} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "history.db")
			lock := flock.New(path + ".lock")
			if err := lock.Lock(); err != nil {
				t.Fatal(err)
			}
			defer lock.Close()
			s := newStore(path, time.Now, shortTiming(patience))
			began := time.Now()
			go s.base.firstAttempt(t.Context())
			if patience < time.Hour {
				if _, err := s.Conversations(t.Context()); !errors.Is(err, ErrNotOpened) || !errors.Is(err, ErrLocked) {
					t.Errorf("reading: %v", err)
				}
				if err := s.Retry(t.Context()); !errors.Is(err, ErrNotOpened) || !errors.Is(err, ErrLocked) {
					t.Errorf("retrying: %v", err)
				}
				c, err := s.Create(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if _, err := s.Begin(t.Context(), c.ID, "", words("a question")); !errors.Is(err, ErrPending) {
					t.Fatal(err)
				}
				if took := time.Since(began); took > 5*time.Second {
					t.Errorf("the errors took %v", took)
				}
			}
			began = time.Now()
			closed := s.Close()
			if took := time.Since(began); took > 3*time.Second {
				t.Errorf("closing took %v", took)
			}
			if patience == time.Hour {
				if closed != nil { // nothing waited
					t.Error(closed)
				}
				return
			}
			if closed == nil || !strings.Contains(closed.Error(), "read when goated starts again") {
				t.Errorf("Close returns %v", closed)
			}
			if err := lock.Unlock(); err != nil {
				t.Fatal(err)
			}
			s, err := Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if list, err := s.Conversations(t.Context()); err != nil || len(list) != 1 || list[0].Title != "a question" {
				t.Errorf("%+v, %v", list, err)
			}
		})
	}
}

// A second Close waits for the first one. When it returns, the database is closed.
func TestConcurrentClose(t *testing.T) {
	t.Parallel()
	times := shortTiming(time.Hour)
	waits := make(chan struct{}, 1)
	s, err := open(t.Context(), filepath.Join(t.TempDir(), "history.db"), time.Now, times)
	if err != nil {
		t.Fatal(err)
	}
	c, r := begun(t, s)
	s.base.wait.after = func(d time.Duration) <-chan time.Time {
		select {
		case waits <- struct{}{}:
		default:
		}
		return time.After(d)
	}
	release := lockDatabase(t, s)
	if err := r.Record(t.Context(), agent.TextDelta{Text: "the answer"}); err != nil {
		t.Fatal(err)
	}
	first := make(chan error, 1)
	go func() { first <- s.Close() }()
	waittest.Receive(t, "the first Close waits for the lock", waits) // the first Close waits for the lock
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.base.db.sql.PingContext(t.Context()); err == nil {
		t.Errorf("the database of conversation %s is open", c.ID)
	}
	release()
	if err := waittest.Receive(t, "the first Close ends", first); !errors.Is(err, ErrLocked) {
		t.Errorf("the first Close returned %v", err)
	}
}
