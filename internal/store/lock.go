package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/gofrs/flock"
)

// How long a transaction waits for another process that keeps the database locked;
// how long all of them together once it is to be over, and how often they try.
const (
	lockTime  = 10 * time.Second
	leaveTime = 2 * time.Second
	tryTime   = 20 * time.Millisecond
)

// Hurry says that goated is about to end: another process that keeps the database
// locked is waited for no more than two seconds from now, whatever is to be written
// or opened.
func (s *Store) Hurry() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.leaving.IsZero() {
		s.leaving = time.Now().Add(leaveTime)
		s.late = time.AfterFunc(leaveTime, s.giveUp) // Close stops it
	}
}

// begin begins a transaction when the database is not locked. SQLite's own wait
// can't be ended, and is short. One that only reads takes its lock when it first
// does so: that is tried here, too.
func (s *Store) begin(ctx context.Context, db *sql.DB, options *sql.TxOptions) (tx *sql.Tx, err error) {
	err = s.unlocked(ctx, func() (err error) {
		if tx, err = db.BeginTx(ctx, options); err != nil || options == nil || !options.ReadOnly {
			return err
		}
		var tables int
		if err = tx.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&tables); err != nil {
			_ = tx.Rollback() // it has begun nothing
		}
		return err
	})
	return tx, err
}

// unlocked has do tried until no other process keeps the database locked, or that
// has taken too long.
func (s *Store) unlocked(ctx context.Context, do func() error) error {
	for until := time.Now().Add(s.patience); ; {
		err := do()
		if !locked(err) {
			return err
		}
		s.mu.Lock()
		if !s.leaving.IsZero() && s.leaving.Before(until) {
			until = s.leaving
		}
		s.mu.Unlock()
		if !time.Now().Before(until) {
			return err
		}
		select {
		case <-time.After(tryTime):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// acquire locks a file for this process alone; taken says that another one keeps it
// locked.
func acquire(ctx context.Context, path string, patience time.Duration, taken error) (*flock.Flock, error) {
	lock := flock.New(path, flock.SetPermissions(0o600))
	wait, stop := context.WithTimeout(ctx, patience)
	defer stop()
	_, err := lock.TryLockContext(wait, tryTime)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = taken
	}
	if err != nil {
		return nil, forbidden(err)
	}
	return lock, nil
}

// useLock is the ending of a file that is locked, not by one process alone, as long
// as the database is open: SQLite goes on in a file that was renamed, and what it
// acknowledges then is not in the new one.
const useLock = ".use"

// use notes that the database is open, until the lock is closed. Who can't lock it
// has it open all the same: who can't set it aside there does not either. Nobody
// sets it aside meanwhile, since Open is for one process at a time.
func use(path string) *flock.Flock {
	lock := flock.New(path+useLock, flock.SetPermissions(0o600))
	_, _ = lock.TryRLock()
	return lock
}

// unused does do while nobody has the database open.
func unused(ctx context.Context, path string, patience time.Duration, do func() error) error {
	lock, err := acquire(ctx, path+useLock, patience, ErrInUse)
	if err != nil {
		return err
	}
	defer lock.Close()
	return do()
}
