package store

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// A timing defines how long a store waits.
type timing struct {
	lock  time.Duration // for another process's lock, for each operation
	leave time.Duration // the same, for all operations together, after PrepareExit
	last  time.Duration // for Close to open a database for the data that waits in memory
	retry time.Duration // between two attempts to write data that waits in memory

	after func(time.Duration) <-chan time.Time // returns a channel that fires before the next attempt to lock
}

func defaultTiming() timing {
	return timing{lock: 10 * time.Second, leave: 2 * time.Second, last: 2 * time.Second, retry: 2 * time.Second, after: time.After}
}

// tryTime is the time between two attempts to lock.
const tryTime = 20 * time.Millisecond

// A lockWait limits how long operations wait for another process's lock. It is safe for concurrent use,
// except for the timing, which must be set before the first use.
type lockWait struct {
	timing

	mu  sync.Mutex
	end time.Time // no operation waits longer than this; zero if there is no such limit
}

func (w *lockWait) endBy(end time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end = end
}

// try calls do until the database is no longer locked by another process, or the limit has passed.
func (w *lockWait) try(ctx context.Context, do func() error) error {
	for until := time.Now().Add(w.lock); ; {
		err := do()
		if !isLocked(err) {
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

// acquire locks a file exclusively for this process. It returns taken if another process holds the lock
// for longer than limit.
func acquire(ctx context.Context, path string, limit time.Duration, taken error) (*flock.Flock, error) {
	lock := flock.New(path, flock.SetPermissions(0o600))
	wait, stop := context.WithTimeout(ctx, limit)
	defer stop()
	_, err := lock.TryLockContext(wait, tryTime)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = taken
	}
	if err != nil {
		return nil, permissionError(err)
	}
	return lock, nil
}

// inUseSuffix is the suffix of the file on which each process holds a shared lock while it has the
// database open. SQLite continues to use a file that was renamed, so without the lock a process could
// save turns in a quarantined file.
const inUseSuffix = ".use"

// lockInUse takes the shared lock. If that fails, the database stays open without it: a process that
// cannot lock the file cannot rename the database either. No process can rename the database in
// between, because only one process at a time runs Open.
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
