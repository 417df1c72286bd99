package store

import (
	"context"
	"database/sql"
	"time"
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
