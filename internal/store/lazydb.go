package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"
)

// errClosed is the error of every method of a closed store.
var errClosed = errors.New("the history is closed")

// A lazyDB is a database that is opened in the background. If that fails, a retry can open it. The
// lazyDB owns the attempts to open the file. It is safe for concurrent use.
type lazyDB struct {
	path  string // absolute
	clock clock
	wait  *lockWait

	opened   chan struct{}      // closed when the first attempt has ended
	closed   <-chan struct{}    // closed when the store closes
	retrying sync.Mutex         // held during each later attempt
	attempts context.Context    // cancelled soon after shortenWaits; each attempt ends with it
	giveUp   context.CancelFunc // cancels attempts

	mu      sync.Mutex
	db      *database
	failed  error       // the reason why db is nil
	warning error       // see Store.Warning
	late    *time.Timer // calls giveUp; set by shortenWaits
}

func newLazyDB(path string, now clock, times timing, closed <-chan struct{}) *lazyDB {
	attempts, giveUp := context.WithCancel(context.Background())
	return &lazyDB{
		path: path, clock: now, wait: &lockWait{timing: times},
		opened: make(chan struct{}), closed: closed, attempts: attempts, giveUp: giveUp,
	}
}

// load opens the database.
func (l *lazyDB) load(ctx context.Context) error {
	db, warning, err := openDatabase(ctx, l.path, l.clock, l.wait)
	if err != nil {
		return fmt.Errorf("opening %s: %w", l.path, explain(err))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.db, l.failed, l.warning = db, nil, warning
	return nil
}

// attempt is like load, but shortenWaits can end it. Its error wraps ErrNotOpened.
func (l *lazyDB) attempt(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(l.attempts, stop)()
	if err := l.load(ctx); err != nil {
		return fmt.Errorf("%w: %w", ErrNotOpened, err)
	}
	return nil
}

// firstAttempt makes the first attempt, and closes opened.
func (l *lazyDB) firstAttempt(ctx context.Context) {
	defer close(l.opened)
	if err := l.attempt(ctx); err != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.failed = err
	}
}

// retry makes another attempt if the earlier ones failed. opened reports whether this attempt opened
// the database.
func (l *lazyDB) retry(ctx context.Context) (opened bool, err error) {
	select {
	case <-l.opened:
	case <-ctx.Done():
		return false, fmt.Errorf("%w: %w", ErrNotOpened, ctx.Err())
	}
	l.retrying.Lock()
	defer l.retrying.Unlock()
	select {
	case <-l.closed:
		return false, errClosed
	default:
	}
	if _, err := l.get(); err == nil {
		return false, nil
	}
	err = l.attempt(ctx)
	return err == nil, err
}

// shortenWaits makes running waits and attempts end soon.
func (l *lazyDB) shortenWaits() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.late == nil {
		l.wait.endBy(time.Now().Add(l.wait.leave))
		l.late = time.AfterFunc(l.wait.leave, l.giveUp) // lazyDB.stop stops the timer
	}
}

// stop waits for the running attempt, and prevents others until done is called. It returns the
// database, or the reason why there is none. The caller must have called shortenWaits.
func (l *lazyDB) stop() (db *database, done func(), unopened error) {
	<-l.opened
	l.retrying.Lock()
	l.mu.Lock()
	l.late.Stop()
	l.mu.Unlock()
	l.giveUp()
	db, unopened = l.get()
	return db, l.retrying.Unlock, unopened
}

// lastAttempt makes one more attempt while the store closes, because data that waits in memory has no other
// chance. The caller must have called stop.
func (l *lazyDB) lastAttempt() (*database, error) {
	ctx, cancel := context.WithTimeout(context.Background(), l.wait.last)
	defer cancel()
	if err := l.load(ctx); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotOpened, err)
	}
	return l.get()
}

// failAll makes all later operations fail on a database that was never opened.
func (l *lazyDB) failAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed = fmt.Errorf("%w: %w", errClosed, l.failed)
}

// get returns the database, or the reason why there is none.
func (l *lazyDB) get() (*database, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.db, l.failed
}

func (l *lazyDB) openWarning() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.warning
}

// notReadyError returns the reason why nothing can be written yet, or nil after the first attempt has ended.
func (l *lazyDB) notReadyError() error {
	select {
	case <-l.opened:
		return nil
	default:
		return fmt.Errorf("%w: it is still being opened", ErrNotOpened)
	}
}

// commit waits for the database, and runs do in a write transaction. The transaction commits if do
// returns nil. Errors name the operation as doing.
func (l *lazyDB) commit(ctx context.Context, doing string, do func(*sql.Tx) error) error {
	db, err := l.ready(ctx, doing)
	if err != nil {
		return err
	}
	return db.commit(ctx, doing, do)
}

// read waits for the database, and runs do in a transaction that sees a single state of the database.
func (l *lazyDB) read(ctx context.Context, doing string, do func(*sql.Tx) error) error {
	db, err := l.ready(ctx, doing)
	if err != nil {
		return err
	}
	return db.read(ctx, doing, do)
}

// ready waits until the first attempt to open has ended. It returns the database, or the reason why
// there is none.
func (l *lazyDB) ready(ctx context.Context, doing string) (*database, error) {
	select {
	case <-l.opened:
		return l.get()
	case <-ctx.Done():
		return nil, fmt.Errorf("%s: %w", doing, ctx.Err())
	}
}
