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

// retention is the minimum time during which a deleted conversation or turn can be restored.
const retention = 30 * 24 * time.Hour

// openDatabase opens or creates the database at path. Only one process at a time does so. warning
// reports what was quarantined or recovered.
func openDatabase(ctx context.Context, path string, now clock, wait *lockWait) (db *database, warning, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, nil, err
	}
	// Without the lock, two processes could both quarantine the file: the second process would rename
	// the new file of the first.
	lock, err := acquire(ctx, path+".lock", wait.lock, ErrLocked)
	if err != nil {
		return nil, nil, err
	}
	defer lock.Close()

	moved, err := resumeQuarantine(ctx, path, wait.lock)
	if err != nil {
		return nil, nil, err
	}
	moved = errors.Join(moved, emptyHistoryError(path))
	check := wasNotClosed(path) && !exists(path+damageMark) // attach checks a file with the mark anyway
	db, warning, err = attach(ctx, path, now, wait)
	if isCorrupted(err) {
		_ = os.Remove(path + uncheckedMark)
		kept, failed := quarantine(ctx, path, wait.lock)
		if failed != nil {
			return nil, nil, fmt.Errorf("%w: %w", failed, errDamaged) // not err, which contains the advice for a database in use
		}
		moved, check = errors.Join(moved, fmt.Errorf("%w: %w", quarantineWarning(path, kept), err)), false
		if db, warning, err = attach(ctx, path, now, wait); err == nil {
			moved = errors.Join(moved, db.recover(ctx, kept))
		}
	}
	if err != nil {
		return nil, nil, err // because of the damage mark, the next Open warns
	}
	if err := unmarkDamaged(path); err != nil { // last, because a process may be killed while it recovers
		return nil, nil, errors.Join(err, db.sql.Close())
	}
	db.inUse = lockInUse(path)
	if check {
		db.checkup.begin(db)
	}
	return db, errors.Join(moved, warning), nil
}

// attach opens the database file, migrates it, and completes the work of earlier processes.
func attach(ctx context.Context, path string, now clock, wait *lockWait) (db *database, warning, err error) {
	// Some file systems give a folder a size like that of a foreign file, which quarantine would rename.
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, nil, errFolder
	}
	if err := createPrivate(path); err != nil {
		return nil, nil, permissionError(err)
	}
	// SQLite would treat a file of one byte as empty and overwrite it.
	if info, err := os.Stat(path); err != nil {
		return nil, nil, err
	} else if info.Size() > 0 && info.Size() < 512 {
		return nil, nil, errForeign
	}
	handle, err := sql.Open("sqlite", dataSourceName(path))
	if err != nil {
		return nil, nil, err
	}
	handle.SetMaxOpenConns(4)
	handle.SetMaxIdleConns(4)
	db = &database{path: path, sql: handle, clock: now, wait: wait}
	if warning, err = db.prepare(ctx, exists(path+damageMark)); err != nil {
		if isCorrupted(err) {
			markDamaged(path) // closing removes the log, without which the damage is invisible
		}
		return nil, nil, errors.Join(err, handle.Close())
	}
	if err := db.prepareSteps(ctx); err != nil {
		return nil, nil, errors.Join(err, handle.Close())
	}
	return db, warning, nil
}

// createPrivate creates a file that only its owner can use, or makes an existing file private. If
// SQLite created it, its mode would depend on the umask. SQLite gives the companion files the same
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

// dataSourceName returns the path as a URL with the settings of each connection.
func dataSourceName(path string) string {
	settings := url.Values{
		"_txlock": {"immediate"}, // a writer waits at the start of a transaction, where it has nothing to lose
		"_pragma": {
			"busy_timeout(20)", // ms; lockWait waits for longer
			"journal_mode(wal)", "synchronous(full)", "foreign_keys(on)",
			"secure_delete(on)", // overwrites deleted text
		},
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: settings.Encode()}).String()
}

// prepare migrates the database and completes the work of earlier processes. If check is set, it checks
// the database first.
func (db *database) prepare(ctx context.Context, check bool) (warning, err error) {
	verdict := "ok"
	if check { // rarely, because the check takes longer than everything else
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
	// If this fails, for example on a full disk, it can wait for the next start.
	if err := db.tidy(ctx); err != nil && !isTemporary(err) {
		return nil, err
	}
	return db.importRescued(ctx), nil
}

// tidy indexes the turns that an earlier process could not index, and purges old deletions.
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

// permissionError wraps an error of missing permissions in ErrReadOnly.
func permissionError(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	return err
}
