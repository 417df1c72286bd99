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
// conversation that can't be read. What a full or failing disk does not take of a
// turn waits in memory and is written when that is possible: see [ErrHeld]. What
// is deleted can be brought back for a while, a conversation and a turn alike.
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
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// A Store is an open database of conversations. It is safe for concurrent use,
// and other processes may have the same file open.
type Store struct {
	// Warning says what was wrong with the file that [Open] found and where it
	// was put; nil if the file was good or new. Of a store that [Start] made it
	// is there when a method has returned.
	Warning error

	opened   chan struct{}      // closed when db is there, or failed is
	retrying sync.Mutex         // one attempt at a time to open what could not be
	attempts context.Context    // ends soon after Hurry, and with it each attempt
	giveUp   context.CancelFunc // ends it

	path     string
	now      func() time.Time
	patience time.Duration  // with another process that keeps the database locked
	writing  sync.Mutex     // one writer at a time; for other processes, see begin
	timers   sync.WaitGroup // of recorders

	mu        sync.Mutex
	db        *sql.DB
	use       *flock.Flock // while db is open; see useLock
	failed    error        // why there is none
	closed    chan struct{}
	late      *time.Timer            // gives up the attempt to open; see Hurry
	leaving   time.Time              // until when another process is waited for, once it is to be over
	recorders map[*Recorder]struct{} // that have not ended
	unmade    map[string]int64       // conversations that wait in memory, and when they were made
	held      map[*Recorder]error    // why something waits in memory
	waits     chan struct{}          // closed and replaced when that changes
}

// Start is Open for those who can't wait: it returns at once, and each method
// waits until the database is open. If it can't be opened, what reads returns why,
// with [ErrUnopened], and what is said waits in memory as on a full disk, until
// [Store.Retry] opens it. Its Close must be called all the same. When ctx ends, so
// does the attempt; it ends by itself after ten seconds in which another process
// holds the database, and two seconds after Hurry or Close.
func Start(ctx context.Context, path string) *Store {
	s := newStore(nil, path, time.Now, lockTime)
	s.start(ctx)
	return s
}

func (s *Store) start(ctx context.Context) {
	go func() { // Close waits for it
		defer close(s.opened)
		if err := s.attempt(ctx); err != nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.failed = err
		}
	}()
}

func newStore(db *sql.DB, path string, now func() time.Time, patience time.Duration) *Store {
	attempts, giveUp := context.WithCancel(context.Background())
	return &Store{
		attempts:  attempts,
		giveUp:    giveUp,
		opened:    make(chan struct{}),
		path:      path,
		db:        db,
		now:       now,
		patience:  patience,
		closed:    make(chan struct{}),
		recorders: make(map[*Recorder]struct{}),
		unmade:    make(map[string]int64),
		held:      make(map[*Recorder]error),
		waits:     make(chan struct{}),
	}
}

// Close writes what recorders still hold back and closes the database. Turns
// that have not ended stay so. What the database does not take is kept beside it,
// and the error says so; the next [Open] reads it.
func (s *Store) Close() error {
	s.mu.Lock()
	select {
	case <-s.closed:
		s.mu.Unlock()
		return nil
	default:
	}
	close(s.closed)
	s.mu.Unlock()
	s.Hurry()
	<-s.opened
	s.retrying.Lock() // an attempt under way ends soon after Hurry, and no other begins
	defer s.retrying.Unlock()
	s.late.Stop() // Hurry has set it, and nothing changes it any more
	s.giveUp()
	open := s.unended()
	db, barred := s.base()
	if barred != nil && len(open) > 0 {
		db, barred = s.last()
	}
	var errs []error
	var busy error
	var lost []*Recorder
	for _, r := range open {
		err := r.close(busy)
		if passing(err) || spoiled(err) {
			lost = append(lost, r)
		}
		if barred == nil && (busy == nil || !locked(err)) || len(errs) == 0 { // or it was said
			errs = append(errs, err)
		}
		if locked(err) {
			busy = err // the others need not wait for that, too
		}
	}
	s.timers.Wait()
	if db == nil {
		s.shut()
	} else {
		errs = append(errs, db.Close())
		defer s.use.Close() // when what is lost is kept, for who waits to open it
	}
	err := errors.Join(errs...)
	if err != nil {
		err = fmt.Errorf("closing the history: %w", explain(err))
	}
	if len(lost) > 0 {
		if path, failed := s.rescue(lost); failed == nil {
			err = fmt.Errorf("%w\nWhat is not saved is kept in %s, and read when goated starts again", err, path)
		} else {
			err = fmt.Errorf("%w\nWhat is not saved is lost: %w", err, failed)
		}
	}
	return err
}

// settle writes what recorders hold back, for a reader to see. What can't be
// written stays with its recorder, whose next caller is told.
func (s *Store) settle() {
	for _, r := range s.unended() {
		_ = r.settle()
	}
}

// unended are the recorders whose turns have not ended on the disk, the first
// begun first.
func (s *Store) unended() []*Recorder {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Keys(s.recorders), func(a, b *Recorder) int { return strings.Compare(a.ID, b.ID) })
}

// commit commits what do does, all of it or nothing. doing names it in the error.
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
	select {
	case <-s.opened:
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	}
	db, err := s.base()
	if err != nil {
		return err // whatever is done
	}
	tx, err := s.begin(ctx, db, options)
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
	if spoiled(err) || unsure(err) {
		mark(s.path) // without it, the next Open may not notice
	}
	return fmt.Errorf("%s: %w", doing, explain(err))
}
