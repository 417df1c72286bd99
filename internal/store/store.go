// Package store keeps conversations in a SQLite database, so that they outlive
// the program and whatever ends it.
//
// A conversation is a tree of turns. A [Turn] is what the user said, the events
// that followed, and the contents that it added to the model's history, all of
// them exact. Saying something else in place of a turn makes a sibling of it;
// both are kept, and the conversation remembers which branch is shown.
//
// What a method has acknowledged by returning no error is on the disk. A power
// cut, a full disk or a killed process takes away nothing of it and leaves no
// conversation that can't be read. What is deleted can be brought back for a
// while, a conversation and a turn alike.
//
//	s, err := store.Open(ctx, path)
//	c, err := s.Create(ctx)
//	rec, err := s.Begin(ctx, c.ID, c.Active, parts)
//	before := len(session.History())
//	for event, err := range session.Send(ctx, parts...) {
//		rec.Record(ctx, event)
//		rec.Contents(ctx, session.History()[before:])
//	}
//	err = rec.End(ctx, nil)
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
)

// A Store is an open database of conversations. It is safe for concurrent use,
// and other processes may have the same file open.
type Store struct {
	// Warning says what was wrong with the file that [Open] found and where it
	// was put; nil if the file was good or new.
	Warning error

	path    string
	db      *sql.DB
	writing sync.Mutex     // one writer at a time; other processes wait by busy_timeout
	timers  sync.WaitGroup // of recorders

	mu        sync.Mutex
	changed   chan struct{} // closed and replaced with each change of the list
	closed    chan struct{}
	recorders map[*Recorder]struct{} // that have not ended
}

func newStore(db *sql.DB, path string) *Store {
	return &Store{
		path:      path,
		db:        db,
		changed:   make(chan struct{}),
		closed:    make(chan struct{}),
		recorders: make(map[*Recorder]struct{}),
	}
}

// Close writes what recorders still hold back and closes the database. Turns
// that have not ended stay so.
func (s *Store) Close() error {
	s.mu.Lock()
	select {
	case <-s.closed:
		s.mu.Unlock()
		return nil
	default:
	}
	close(s.closed)
	open := slices.Collect(maps.Keys(s.recorders))
	s.mu.Unlock()
	var errs []error
	for _, r := range open {
		errs = append(errs, r.close())
	}
	s.timers.Wait()
	errs = append(errs, s.db.Close())
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("closing the history: %w", explain(err))
	}
	return nil
}

// change commits what do does and tells those who watch. doing names it in the
// error.
func (s *Store) change(ctx context.Context, doing string, do func(*sql.Tx) error) error {
	if err := s.commit(ctx, doing, do); err != nil {
		return err
	}
	s.announce()
	return nil
}

// settle writes what recorders hold back, for a reader to see. What can't be
// written stays with its recorder, whose next caller is told.
func (s *Store) settle() {
	s.mu.Lock()
	open := slices.Collect(maps.Keys(s.recorders))
	s.mu.Unlock()
	for _, r := range open {
		r.settle()
	}
}

func (s *Store) announce() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.changed)
	s.changed = make(chan struct{})
}

// commit commits what do does, all of it or nothing.
func (s *Store) commit(ctx context.Context, doing string, do func(*sql.Tx) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.transact(ctx, doing, nil, do)
}

// read shows do one state of the database.
func (s *Store) read(ctx context.Context, doing string, do func(*sql.Tx) error) error {
	return s.transact(ctx, doing, &sql.TxOptions{ReadOnly: true}, do)
}

func (s *Store) transact(ctx context.Context, doing string, options *sql.TxOptions, do func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, options)
	if err == nil {
		if err = do(tx); err == nil {
			err = tx.Commit()
		}
		if err != nil {
			_ = tx.Rollback() // SQLite may have done so itself
		}
	}
	if err == nil {
		return nil
	}
	if spoiled(err) {
		_ = os.WriteFile(s.path+damageMark, nil, 0o600) // without it, the next Open may not notice
	}
	return fmt.Errorf("%s: %w", doing, explain(err))
}
