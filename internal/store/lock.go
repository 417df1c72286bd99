package store

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// A timing says how long a store waits.
type timing struct {
	lock  time.Duration // for a lock of another process, each operation
	leave time.Duration // the same, all operations together, from Hurry on
	last  time.Duration // for Close to open a database for data that waits in memory
	retry time.Duration // between two attempts to write data that waits in memory

	after func(time.Duration) <-chan time.Time // passes between two attempts to lock
}

func defaultTiming() timing {
	return timing{lock: 10 * time.Second, leave: 2 * time.Second, last: 2 * time.Second, retry: 2 * time.Second, after: time.After}
}

// tryTime is the time between two attempts to lock.
const tryTime = 20 * time.Millisecond

// A lockWait limits how long operations wait for a lock of another process. Safe for
// concurrent use, except for the timing, which is set before the first use.
type lockWait struct {
	timing

	mu  sync.Mutex
	end time.Time // no operation waits longer; zero: no such time
}

func (w *lockWait) endBy(end time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end = end
}

// try calls do until no other process has locked the database, or the limit has
// passed.
func (w *lockWait) try(ctx context.Context, do func() error) error {
	for until := time.Now().Add(w.lock); ; {
		err := do()
		if !locked(err) {
			return err
		}
		w.mu.Lock()
		if !w.end.IsZero() && w.end.Before(until) {
			until = w.end
		}
		w.mu.Unlock()
		if !time.Now().Before(until) {
			return err
		}
		select {
		case <-w.after(tryTime):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// acquire locks a file for this process alone. It returns taken if another process
// keeps the lock for longer than limit.
func acquire(ctx context.Context, path string, limit time.Duration, taken error) (*flock.Flock, error) {
	lock := flock.New(path, flock.SetPermissions(0o600))
	wait, stop := context.WithTimeout(ctx, limit)
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

// inUseSuffix ends the name of a file on which each process keeps a shared lock while
// it has the database open. SQLite keeps working in a file that was renamed, so
// without the lock a process could save turns into a quarantined file.
const inUseSuffix = ".use"

// lockInUse takes the shared lock. If it fails, the database stays open without it:
// who cannot lock the file cannot rename the database either. No process can rename it
// in between, because only one process at a time runs Open.
func lockInUse(path string) *flock.Flock {
	lock := flock.New(path+inUseSuffix, flock.SetPermissions(0o600))
	_, _ = lock.TryRLock()
	return lock
}

// whileUnused runs do while no process has the database open.
func whileUnused(ctx context.Context, path string, limit time.Duration, do func() error) error {
	lock, err := acquire(ctx, path+inUseSuffix, limit, ErrInUse)
	if err != nil {
		return err
	}
	defer lock.Close()
	return do()
}
