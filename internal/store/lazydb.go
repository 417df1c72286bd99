package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"
)

// errClosed is the reason for which a closed store refuses everything.
var errClosed = errors.New("the history is closed")

// A lazyDB is a database that opens in the background, and that a retry opens if
// that failed. It owns the attempts to open the file. Safe for concurrent use.
type lazyDB struct {
	path  string // absolute
	clock clock
	wait  *lockWait

	opened   chan struct{}      // closed when the first attempt has ended
	closed   <-chan struct{}    // closed when the store closes
	retrying sync.Mutex         // held during each later attempt
	attempts context.Context    // cancelled soon after hurry; each attempt ends with it
	giveUp   context.CancelFunc // cancels attempts

	mu      sync.Mutex
	db      *database
	failed  error       // why db is nil
	warning error       // see Store.Warning
	late    *time.Timer // calls giveUp; set by hurry
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

// attempt is load, ended by hurry. Its error is an ErrUnopened.
func (l *lazyDB) attempt(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(l.attempts, stop)()
	if err := l.load(ctx); err != nil {
		return fmt.Errorf("%w: %w", ErrUnopened, err)
	}
	return nil
}

// first makes the first attempt.
func (l *lazyDB) first(ctx context.Context) {
	defer close(l.opened)
	if err := l.attempt(ctx); err != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.failed = err
	}
}

// retry makes another attempt if the earlier ones failed, and reports whether this
// one opened the database.
func (l *lazyDB) retry(ctx context.Context) (opened bool, err error) {
	select {
	case <-l.opened:
	case <-ctx.Done():
		return false, fmt.Errorf("%w: %w", ErrUnopened, ctx.Err())
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

// hurry makes waits and attempts end soon.
func (l *lazyDB) hurry() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.late == nil {
		l.wait.endBy(time.Now().Add(l.wait.leave))
		l.late = time.AfterFunc(l.wait.leave, l.giveUp) // stop stops it
	}
}

// stop waits for the attempt under way and prevents others until done is called.
// It returns the database, or why there is none. hurry was called before.
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

// last tries once more to open the database while the store closes, because data
// that waits in memory has no other chance. The caller has called stop.
func (l *lazyDB) last() (*database, error) {
	ctx, cancel := context.WithTimeout(context.Background(), l.wait.last)
	defer cancel()
	if err := l.load(ctx); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnopened, err)
	}
	return l.get()
}

// refuse makes a database that never opened refuse everything from now on.
func (l *lazyDB) refuse() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed = fmt.Errorf("%w: %w", errClosed, l.failed)
}

// get returns the database, or why there is none.
func (l *lazyDB) get() (*database, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.db, l.failed
}

func (l *lazyDB) warned() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.warning
}

// early says why nothing can be written yet; nil when the first attempt has ended.
func (l *lazyDB) early() error {
	select {
	case <-l.opened:
		return nil
	default:
		return fmt.Errorf("%w: it is still being opened", ErrUnopened)
	}
}

// commit runs do in a transaction that writes, when the database is open. The
// transaction commits if do returns nil. doing names it in errors.
func (l *lazyDB) commit(ctx context.Context, doing string, do func(*sql.Tx) error) error {
	db, err := l.ready(ctx, doing)
	if err != nil {
		return err
	}
	return db.commit(ctx, doing, do)
}

// read runs do in a transaction that shows one state of the database, when it is
// open.
func (l *lazyDB) read(ctx context.Context, doing string, do func(*sql.Tx) error) error {
	db, err := l.ready(ctx, doing)
	if err != nil {
		return err
	}
	return db.read(ctx, doing, do)
}

// ready waits until the first attempt to open has ended.
func (l *lazyDB) ready(ctx context.Context, doing string) (*database, error) {
	select {
	case <-l.opened:
		return l.get()
	case <-ctx.Done():
		return nil, fmt.Errorf("%s: %w", doing, ctx.Err())
	}
}
