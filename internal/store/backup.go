package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"goated/internal/state"
)

// MaxBackups is how many daily backups are kept.
const MaxBackups = 7

// backupInfix precedes the day in the name of a backup.
const backupInfix = ".backup-"

// Backup makes today's backup if there is none yet: a checked copy of the history beside it. It keeps
// the last [MaxBackups] backups, and does nothing for an empty history. Reads and writes continue in
// the meantime. Backup returns the path of the copy, or "" if it made none.
func (s *Store) Backup(ctx context.Context) (string, error) {
	db, err := s.base.ready(ctx, "backing up")
	if err != nil {
		return "", fmt.Errorf("backing up the history: %w", err)
	}
	path := db.path + backupInfix + time.Now().Format("20060102")
	if exists(path) {
		return "", nil
	}
	var conversations int
	if err := db.sql.QueryRowContext(ctx, `SELECT count(*) FROM conversation`).Scan(&conversations); err != nil {
		return "", fmt.Errorf("backing up the history: %w", err)
	}
	if conversations == 0 {
		return "", nil // an empty copy must not replace an old backup
	}
	part := path + state.Part
	_ = os.Remove(part)
	if err := copyDatabase(ctx, db.sql, part); err != nil {
		_ = os.Remove(part)
		return "", fmt.Errorf("backing up the history: %w", err)
	}
	if err := errors.Join(os.Rename(part, path), state.SyncDir(filepath.Dir(path))); err != nil {
		return "", fmt.Errorf("backing up the history: %w", err)
	}
	for _, old := range Backups(db.path)[:max(0, len(Backups(db.path))-MaxBackups)] {
		_ = os.Remove(old)
	}
	return path, nil
}

// copyDatabase writes a compact copy of a database to a new file, and checks it. It creates the file
// first, because SQLite would create it with a mode that depends on the umask, so that other users
// could read it. SQLite accepts an existing empty file.
func copyDatabase(ctx context.Context, db *sql.DB, path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, `VACUUM INTO ?`, path); err != nil {
		return err
	}
	return checkDatabase(ctx, path)
}

// checkDatabase checks that a file, which no process writes to, is an undamaged database of goated.
func checkDatabase(ctx context.Context, path string) error {
	copied, err := sql.Open("sqlite", readOnly(path))
	if err != nil {
		return err
	}
	defer copied.Close()
	verdict := ""
	if err := copied.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", errDamaged, verdict)
	}
	var app int
	if err := copied.QueryRowContext(ctx, `PRAGMA application_id`).Scan(&app); err != nil {
		return err
	}
	if app != application { // an empty file passes the check, too
		return errForeign
	}
	return nil
}

// Backups returns the paths of the backups of the history at path, from the oldest to the newest.
func Backups(path string) []string {
	found, _ := filepath.Glob(escapePattern(path) + backupInfix + "[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]") // Glob cannot fail
	slices.Sort(found)
	return found
}

// Restore replaces the history at path with a backup. It keeps the present file, and returns that
// file's new path. It fails while a process has the history open.
func Restore(ctx context.Context, path, backup string) (kept string, err error) {
	if err := checkDatabase(ctx, backup); err != nil {
		return "", fmt.Errorf("checking the backup %s: %w", backup, err)
	}
	part := path + ".restored" + state.Part
	if err := copyFile(backup, part); err != nil {
		return "", fmt.Errorf("copying the backup: %w", err)
	}
	kept = path + ".before-restore-" + time.Now().Format("20060102-150405.000000")
	err = whileUnused(ctx, path, 2*time.Second, func() error {
		if err := renameAll(path, kept); err != nil {
			return err
		}
		return errors.Join(os.Rename(part, path), state.SyncDir(filepath.Dir(path)))
	})
	if err != nil {
		_ = os.Remove(part)
		return "", fmt.Errorf("restoring the history: %w", err)
	}
	return kept, nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// emptyHistoryError warns of a history of 0 bytes that had been in use. Otherwise nothing would show that its
// conversations are gone.
func emptyHistoryError(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Size() > 0 || !exists(path+inUseSuffix) {
		return nil
	}
	return fmt.Errorf("the history %s was empty (0 bytes), so its conversations are missing. %s", path, restoreAdvice(path))
}

// restoreAdvice describes how to restore conversations from a backup.
func restoreAdvice(path string) string {
	all := Backups(path)
	if len(all) == 0 {
		return "There is no backup of it."
	}
	last := all[len(all)-1]
	return fmt.Sprintf("There is a backup, %s. To restore it, close goated and run: goated history restore", last)
}
