// Package store saves conversations in a SQLite database, so that they survive the
// program, a crash and a power cut.
//
// The package owns the database file, the files beside it (lock files, quarantined databases, rescued
// turns), the schema and its migrations, and the data that waits in memory while the disk cannot be
// written. It must not depend on the window, servers or models: it reads and writes the events of
// [goated/agent] and the contents of genai.
//
// A conversation is a tree of turns. A [Turn] is the user's message, the events that followed it, and
// the contents that it added to the model's history. All of them are stored exactly. Editing a message
// adds a sibling of its turn. The store keeps both, and the conversation remembers which branch is
// active.
//
// When a method returns no error, its data is on the disk. A power cut, a full disk or a killed process
// loses none of it and leaves no unreadable conversation. If the disk is full or fails, the data of a
// turn waits in memory, and is written when the disk allows it: see [ErrPending]. A deleted
// conversation or turn can be restored until [retention] has passed.
//
//	s, err := store.Open(ctx, path)
//	c, err := s.Create(ctx)
//	rec, err := s.Begin(ctx, c.ID, c.Active, parts)
//	before := len(session.History())
//	for event, err := range session.Send(ctx, parts...) {
//		rec.Step(ctx, event, session.History()[before:])
//	}
//	err = rec.End(ctx, nil)
package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"sync"
	"time"

	"goated/internal/filewatch"
)

// A Store is a database of conversations. It is safe for concurrent use, and other processes may have
// the same file open. Use [Open] or [Start] to create one. The zero value is not usable.
type Store struct {
	base    *lazyDB
	pending *pending
	closing sync.Mutex // held during Close
}

// Open opens the database at path, or creates it if it does not exist. Only the file's owner can read
// it.
//
// If the file is damaged, or is not a database of goated, Open renames it to path.corrupt-TIME and
// creates a new one. [Store.Warning] then reports that. Open does not rename a file that another
// process has open ([ErrInUse]), and does not touch a file from a newer version of goated ([ErrNewer]).
func Open(ctx context.Context, path string) (*Store, error) {
	return open(ctx, path, time.Now, defaultTiming())
}

// open is Open with a given clock and timing.
func open(ctx context.Context, path string, now clock, times timing) (*Store, error) {
	s := newStore(path, now, times)
	defer close(s.base.opened)
	if err := s.base.load(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// Start is Open for callers that cannot wait. It returns at once, and each method waits until the
// database is open. If the database cannot be opened, reads return the reason, wrapped in
// [ErrNotOpened], and turns wait in memory as on a full disk, until [Store.Retry] opens it. The caller
// must call Close in every case.
//
// The attempt to open ends when ctx ends, when another process has locked the database for ten seconds,
// or two seconds after PrepareExit or Close.
func Start(ctx context.Context, path string) *Store {
	s := newStore(path, time.Now, defaultTiming())
	go s.base.firstAttempt(ctx) // Close waits for it
	return s
}

func newStore(path string, now clock, times timing) *Store {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	closed := make(chan struct{})
	return &Store{
		base:    newLazyDB(path, now, times, closed),
		pending: newPending(closed),
	}
}

// Warning describes what was wrong with the file that the store opened, and where the file is now. It
// returns nil if the file was good or new. After [Start] it is valid once another method has returned.
func (s *Store) Warning() error { return s.base.openWarning() }

// Retry opens the database that [Start] could not open, and writes the data that waits in memory. If
// that fails again, the data keeps waiting and Retry returns the reason, wrapped in [ErrNotOpened]. If
// the database is already open, Retry does nothing.
func (s *Store) Retry(ctx context.Context) error {
	opened, err := s.base.retry(ctx)
	if opened {
		s.pending.flush()
	}
	return err
}

// PrepareExit prepares the store for the exit of the program: from now on all waits for other processes that
// have locked the database end within two seconds.
func (s *Store) PrepareExit() { s.base.shortenWaits() }

// Pending yields the reason why data waits in memory, at the start and after each change, until ctx
// ends or the Store is closed. It yields nil while everything is on the disk.
func (s *Store) Pending(ctx context.Context) iter.Seq[error] { return s.pending.watch(ctx) }

// Changes yields after each change that this or another process makes to the history, until ctx ends.
func (s *Store) Changes(ctx context.Context) iter.Seq[struct{}] {
	return func(yield func(struct{}) bool) {
		if _ = s.Ready(ctx); ctx.Err() == nil { // now the folder exists
			filewatch.Changes(ctx, s.base.path, s.base.path+"-wal")(yield)
		}
	}
}

// Close writes the data that recorders still hold, and closes the database. Turns that have not ended
// remain without an end. Data that cannot be written to the database is saved in a file beside it,
// which the next [Open] imports. The error contains the name of that file. Closing again does nothing
// except wait for a Close that is running.
func (s *Store) Close() error {
	s.closing.Lock()
	defer s.closing.Unlock()
	if !s.pending.stopAdding() {
		return nil
	}
	s.PrepareExit()
	db, done, unopened := s.base.stop()
	defer done()
	open := s.pending.recording()
	if unopened != nil && len(open) > 0 {
		db, unopened = s.base.lastAttempt()
	}
	lost, errs := closeAll(open, unopened)
	s.pending.timers.Wait()
	if db == nil {
		s.base.failAll()
	} else {
		db.checkup.end()
		errs = append(errs, db.sql.Close())
		defer db.inUse.Close() // after the rescue, for a process that waits to open the file
	}
	err := errors.Join(errs...)
	if err != nil {
		err = fmt.Errorf("closing the history: %w", explain(err))
	}
	if len(lost) == 0 {
		return err
	}
	path, failed := rescue(s.base.path, lost)
	if failed != nil {
		return fmt.Errorf("%w\n%w: %w", err, ErrMessagesLost, failed)
	}
	return fmt.Errorf("%w\nUnsaved messages are kept in %s, and read when goated starts again", err, path)
}

// closeAll closes recorders in the order of their turns. It returns the recorders whose data could not
// be written, and the errors. It does not repeat a reason that all recorders share: that the database
// is locked or not open.
func closeAll(open []*Recorder, unopened error) (lost []*Recorder, errs []error) {
	var busy error
	for _, r := range open {
		err := r.close(busy)
		if isTemporary(err) || isCorrupted(err) {
			lost = append(lost, r)
		}
		if unopened == nil && (busy == nil || !isLocked(err)) || len(errs) == 0 {
			errs = append(errs, err)
		}
		if isLocked(err) {
			busy = err // the other recorders need not wait for the lock, too
		}
	}
	return lost, errs
}
