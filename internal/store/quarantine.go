package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"goated/internal/state"
)

// damageMark is the suffix of a file beside a database that the next Open must check. The file lists
// the names of quarantined databases, one per line, the newest last. It exists from before the renaming
// until a new database works, because a process can end at any moment in between.
const damageMark = ".damaged"

// quarantineInfix precedes the time in the name of a quarantined database.
const quarantineInfix = ".corrupt-"

// markDamaged makes the next Open check the database. It ignores errors.
func markDamaged(path string) {
	if f, err := os.OpenFile(path+damageMark, os.O_WRONLY|os.O_CREATE, 0o600); err == nil { // may hold names
		_ = f.Close()
	}
}

func unmarkDamaged(path string) error {
	if err := os.Remove(path + damageMark); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// listedQuarantines returns the quarantined databases that the mark lists.
func listedQuarantines(path string) (kept []string) {
	data, err := os.ReadFile(path + damageMark)
	if err != nil {
		return nil
	}
	for line := range bytes.Lines(data) {
		if name := filepath.Base(strings.TrimSpace(string(line))); strings.HasPrefix(name, filepath.Base(path)+quarantineInfix) {
			kept = append(kept, filepath.Join(filepath.Dir(path), name))
		}
	}
	return kept
}

// quarantine renames the database and its companion files, and returns the new path. It fails while
// another process has the database open. It records the intent on the disk before it renames anything;
// see damageMark.
func quarantine(ctx context.Context, path string, limit time.Duration) (kept string, err error) {
	kept = path + quarantineInfix + time.Now().Format("20060102-150405.000000")
	var names strings.Builder
	for _, file := range append(listedQuarantines(path), kept) {
		names.WriteString(filepath.Base(file) + "\n")
	}
	err = whileUnused(ctx, path, limit, func() error {
		if err := state.WriteFile(path+damageMark, []byte(names.String())); err != nil {
			return err
		}
		return renameAll(path, kept)
	})
	return kept, err
}

// renameAll renames the database last, because without its log it would look like a good database that
// was closed.
func renameAll(path, kept string) error {
	dir := filepath.Dir(path)
	for _, suffix := range []string{"-wal", "-shm"} {
		if err := rename(path+suffix, kept+suffix); err != nil {
			return err
		}
	}
	return errors.Join(state.SyncDir(dir), rename(path, kept), state.SyncDir(dir))
}

// rename renames a file if it exists.
func rename(from, to string) error {
	if err := os.Rename(from, to); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// resumeQuarantine completes the renaming that an earlier process began. warning reports each
// quarantined database.
func resumeQuarantine(ctx context.Context, path string, limit time.Duration) (warning, err error) {
	var warnings []error
	for _, kept := range listedQuarantines(path) {
		if !exists(kept) && (exists(kept+"-wal") || exists(kept+"-shm")) {
			if err := whileUnused(ctx, path, limit, func() error { return renameAll(path, kept) }); err != nil {
				return nil, fmt.Errorf("setting the damaged file aside: %w", err)
			}
		}
		if exists(kept) {
			warnings = append(warnings, quarantineWarning(path, kept))
		}
	}
	return errors.Join(warnings...), nil
}

// quarantineWarning returns the warning about a renamed database.
func quarantineWarning(path, kept string) error {
	return fmt.Errorf("goated could not read %s and kept it as %s", path, kept)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
