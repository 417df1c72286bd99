package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Retry opens the database that [Start] could not open, and writes what waits for
// it in memory. If it still can't be opened, that goes on waiting and Retry says
// why, with [ErrUnopened]. Where the database is open it does nothing.
func (s *Store) Retry(ctx context.Context) error {
	select {
	case <-s.opened:
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", ErrUnopened, ctx.Err())
	}
	s.retrying.Lock()
	defer s.retrying.Unlock()
	select {
	case <-s.closed:
		return errClosed
	default:
	}
	if _, err := s.base(); err == nil {
		return nil
	}
	if err := s.attempt(ctx); err != nil {
		return err
	}
	s.settle()
	return nil
}

// attempt is adopt for as long as goated is not about to end.
func (s *Store) attempt(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(s.attempts, stop)()
	return s.adopt(ctx)
}

// adopt opens the database and makes it this store's.
func (s *Store) adopt(ctx context.Context) error {
	o, err := open(ctx, s.path, s.now, s.patience)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnopened, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.path, s.db, s.use, s.failed, s.Warning = o.path, o.db, o.use, nil, o.Warning
	return nil
}

var errClosed = errors.New("the history is closed")

// base is the database, or why there is none.
func (s *Store) base() (*sql.DB, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.db, s.failed
}

// early is why nothing is written yet, if the first attempt has not come to an end.
func (s *Store) early() error {
	select {
	case <-s.opened:
		return nil
	default:
		return fmt.Errorf("%w: it is still being opened", ErrUnopened)
	}
}

// shut has a store that was never open take nothing any more.
func (s *Store) shut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed = fmt.Errorf("%w: %w", errClosed, s.failed)
}

// lastTime is how long Close tries to open a database for what waits for it.
const lastTime = 2 * time.Second

// last tries once more to open the database, for who closes it: what waits has no
// other chance. retrying is held.
func (s *Store) last() (*sql.DB, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lastTime)
	defer cancel()
	if err := s.adopt(ctx); err != nil {
		return nil, err
	}
	return s.base()
}
