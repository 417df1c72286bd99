package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// Retention is how long a deleted conversation can be brought back, at least.
const Retention = 30 * 24 * time.Hour

// Open opens the database at path and makes it if there is none. Only its owner
// can read it.
//
// A file that is damaged, or is no database of goated's, is renamed to
// path.corrupt-TIME and a new one is begun; Warning of the store says so. While
// another process has it open it stays: [ErrInUse]. One that a newer goated has
// written is left alone: [ErrNewer].
func Open(ctx context.Context, path string) (*Store, error) {
	return open(ctx, path, time.Now, lockTime)
}

// open is Open with a clock, and with how long another process is waited for.
func open(ctx context.Context, path string, now func() time.Time, patience time.Duration) (*Store, error) {
	s, err := alone(ctx, path, now, patience)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, explain(err))
	}
	return s, nil
}

// alone opens the database while no other process does.
func alone(ctx context.Context, path string, now func() time.Time, patience time.Duration) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	// Two processes must not both set the file aside, the second one the first
	// one's new file.
	lock, err := acquire(ctx, path+".lock", patience, ErrLocked)
	if err != nil {
		return nil, err
	}
	defer lock.Close()

	told, err := resume(ctx, path, patience)
	if err != nil {
		return nil, err
	}
	s, err := attach(ctx, path, now, patience)
	if spoiled(err) {
		aside, failed := setAside(ctx, path, patience)
		if failed != nil {
			return nil, fmt.Errorf("%w: %w", failed, err)
		}
		told = errors.Join(told, fmt.Errorf("%s could not be read, and is kept as %s: %w", path, aside, err))
		s, err = attach(ctx, path, now, patience)
	}
	if err != nil {
		return nil, err // the next Open tells
	}
	s.Warning = errors.Join(told, s.Warning)
	s.use = use(path)
	return s, nil
}

// attach opens a database and brings it up to date.
func attach(ctx context.Context, path string, now func() time.Time, patience time.Duration) (*Store, error) {
	// SQLite would make the file with the permissions of the umask; its
	// companions get those of the file.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case err == nil:
		err = f.Close()
	case errors.Is(err, fs.ErrExist):
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		return nil, forbidden(err)
	}
	// SQLite takes a file of one byte for an empty one, and would write over it.
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if info.Size() > 0 && info.Size() < 512 {
		return nil, errForeign
	}
	db, err := sql.Open("sqlite", source(path))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(4)
	db.SetMaxIdleConns(4)
	s := newStore(db, path, now, patience)
	close(s.opened)
	if err := s.prepare(ctx, doubtful(path)); err != nil {
		if spoiled(err) {
			mark(path) // to close it removes the log, which is what makes it doubtful
		}
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// source is the path with the settings of each connection. SQLite itself hardly
// waits for another process: see [Store.begin].
func source(path string) string {
	settings := url.Values{
		"_txlock": {"immediate"}, // a writer waits at its beginning, where nothing is lost
		"_pragma": {
			"busy_timeout(20)", "journal_mode(wal)", "synchronous(full)", "foreign_keys(on)",
			"secure_delete(on)", // deleted is gone
		},
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: settings.Encode()}).String()
}

// doubtful reports whether the database may be damaged: the last process did not
// close it, or has found damage and left a mark. To check it each time would take
// longer than all the rest.
func doubtful(path string) bool {
	for _, companion := range []string{"-wal", damageMark} {
		if _, err := os.Stat(path + companion); err == nil {
			return true
		}
	}
	return false
}

// prepare checks the database, and brings it up to date.
func (s *Store) prepare(ctx context.Context, doubtful bool) error {
	verdict := "ok"
	if doubtful {
		err := s.unlocked(ctx, func() error { return s.db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict) })
		if err != nil {
			return err
		}
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", errDamaged, verdict)
	}
	if err := s.commit(ctx, "preparing the tables", func(tx *sql.Tx) error { return migrate(ctx, tx) }); err != nil {
		return err
	}
	// What follows can wait for the next time, as on a full disk.
	if err := s.tidy(ctx); err != nil && !passing(err) {
		return err
	}
	s.readmit(ctx)
	return unmark(s.path)
}

// tidy does what an earlier process could not, and what is due.
func (s *Store) tidy(ctx context.Context) error {
	if err := s.catchUp(ctx); err != nil {
		return err
	}
	var seen int64
	err := s.commit(ctx, "looking at the clock", func(tx *sql.Tx) (err error) {
		seen, err = s.observed(ctx, tx)
		return err
	})
	if err != nil {
		return err
	}
	return s.Purge(ctx, time.Unix(0, seen).Add(-Retention))
}

func forbidden(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	return err
}
