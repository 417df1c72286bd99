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

// retention is how long a deleted conversation or turn can be restored, at least.
const retention = 30 * 24 * time.Hour

// openDatabase opens or creates the database at path. Only one process at a time
// does so. The warning says what was quarantined or recovered.
func openDatabase(ctx context.Context, path string, now clock, wait *lockWait) (db *database, warning, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, nil, err
	}
	// Without the lock, two processes could both quarantine the file: the second one
	// would rename the new file of the first.
	lock, err := acquire(ctx, path+".lock", wait.lock, ErrLocked)
	if err != nil {
		return nil, nil, err
	}
	defer lock.Close()

	moved, err := resumeQuarantine(ctx, path, wait.lock)
	if err != nil {
		return nil, nil, err
	}
	moved = errors.Join(moved, emptied(path))
	check := unclosed(path) && !exists(path+damageMark) // attach checks one with the mark
	db, warning, err = attach(ctx, path, now, wait)
	if corrupted(err) {
		_ = os.Remove(path + uncheckedMark)
		kept, failed := quarantine(ctx, path, wait.lock)
		if failed != nil {
			return nil, nil, fmt.Errorf("%w: %w", failed, errDamaged) // err has the advice for a database in use
		}
		moved, check = errors.Join(moved, fmt.Errorf("%w: %w", quarantined(path, kept), err)), false
		if db, warning, err = attach(ctx, path, now, wait); err == nil {
			moved = errors.Join(moved, db.recover(ctx, kept))
		}
	}
	if err != nil {
		return nil, nil, err // the damage mark makes the next Open warn
	}
	if err := unmarkDamaged(path); err != nil { // last: a process may be killed while it recovers
		return nil, nil, errors.Join(err, db.sql.Close())
	}
	db.inUse = lockInUse(path)
	if check {
		db.checkup.begin(db)
	}
	return db, errors.Join(moved, warning), nil
}

// attach opens the database file and brings its contents up to date.
func attach(ctx context.Context, path string, now clock, wait *lockWait) (db *database, warning, err error) {
	if err := createPrivate(path); err != nil {
		return nil, nil, forbidden(err)
	}
	// SQLite takes a file of one byte for an empty one and would overwrite it.
	if info, err := os.Stat(path); err != nil {
		return nil, nil, err
	} else if info.Size() > 0 && info.Size() < 512 {
		return nil, nil, errForeign
	}
	handle, err := sql.Open("sqlite", source(path))
	if err != nil {
		return nil, nil, err
	}
	handle.SetMaxOpenConns(4)
	handle.SetMaxIdleConns(4)
	db = &database{path: path, sql: handle, clock: now, wait: wait}
	if warning, err = db.prepare(ctx, exists(path+damageMark)); err != nil {
		if corrupted(err) {
			markDamaged(path) // closing removes the log, without which nothing looks wrong
		}
		return nil, nil, errors.Join(err, handle.Close())
	}
	if err := db.prepareSteps(ctx); err != nil {
		return nil, nil, errors.Join(err, handle.Close())
	}
	return db, warning, nil
}

// createPrivate creates a file that only its owner can use, or makes an existing one
// private. SQLite would apply the umask. Its companion files get the same
// permissions.
func createPrivate(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return os.Chmod(path, 0o600)
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// source returns the path with the settings of each connection.
func source(path string) string {
	settings := url.Values{
		"_txlock": {"immediate"}, // a writer waits at its beginning, where nothing is lost
		"_pragma": {
			"busy_timeout(20)", // ms; lockWait waits for longer
			"journal_mode(wal)", "synchronous(full)", "foreign_keys(on)",
			"secure_delete(on)", // overwrites deleted text
		},
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: settings.Encode()}).String()
}

// prepare checks the database if asked to, migrates it, and does the work that
// earlier processes left.
func (db *database) prepare(ctx context.Context, check bool) (warning, err error) {
	verdict := "ok"
	if check { // seldom: it takes longer than everything else
		if verdict, err = db.quickCheck(ctx); err != nil {
			return nil, err
		}
	}
	if verdict != "ok" {
		return nil, fmt.Errorf("%w: %s", errDamaged, verdict)
	}
	if err := db.commit(ctx, "preparing the tables", func(tx *sql.Tx) error { return migrate(ctx, tx) }); err != nil {
		return nil, err
	}
	// On a full disk, for example, the rest can wait for the next start.
	if err := db.tidy(ctx); err != nil && !temporary(err) {
		return nil, err
	}
	return db.importRescued(ctx), nil
}

// tidy indexes turns that an earlier process could not, and purges old deletions.
func (db *database) tidy(ctx context.Context) error {
	if err := db.commit(ctx, "updating the text index", func(tx *sql.Tx) error { return indexStale(ctx, tx) }); err != nil {
		return err
	}
	var seen int64
	err := db.commit(ctx, "reading the clock", func(tx *sql.Tx) (err error) {
		seen, err = db.clock.observe(ctx, tx)
		return err
	})
	if err != nil {
		return err
	}
	return db.commit(ctx, purging, func(tx *sql.Tx) error {
		return purge(ctx, tx, time.Unix(0, seen).Add(-retention))
	})
}

// forbidden adds ErrReadOnly to an error of missing permissions.
func forbidden(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	return err
}
