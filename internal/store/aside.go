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

// damageMark is the ending of a file beside a database that is to be checked by the
// next Open. Where what was there was set aside, or was to be, it has the names of
// that, one in a line, the last one last: until the database that takes its place
// can be used, a process may come to its end at any moment.
const damageMark = ".damaged"

// corrupt is what comes before the time in the name of what was set aside.
const corrupt = ".corrupt-"

// mark has the next Open check the database, if that can be had.
func mark(path string) {
	if f, err := os.OpenFile(path+damageMark, os.O_WRONLY|os.O_CREATE, 0o600); err == nil { // it may have names
		_ = f.Close()
	}
}

func unmark(path string) error {
	if err := os.Remove(path + damageMark); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// marked are the files that were set aside, or were to be, and are not told yet.
func marked(path string) (asides []string) {
	data, err := os.ReadFile(path + damageMark)
	if err != nil {
		return nil
	}
	for line := range bytes.Lines(data) {
		if name := filepath.Base(strings.TrimSpace(string(line))); strings.HasPrefix(name, filepath.Base(path)+corrupt) {
			asides = append(asides, filepath.Join(filepath.Dir(path), name))
		}
	}
	return asides
}

// setAside renames the database and its companions, unless another process has them
// open. That it is about to is on the disk before: see damageMark.
func setAside(ctx context.Context, path string, patience time.Duration) (aside string, err error) {
	aside = path + corrupt + time.Now().Format("20060102-150405.000000")
	var names strings.Builder
	for _, file := range append(marked(path), aside) {
		names.WriteString(filepath.Base(file) + "\n")
	}
	err = unused(ctx, path, patience, func() error {
		if err := state.WriteFile(path+damageMark, []byte(names.String())); err != nil {
			return err
		}
		return move(path, aside)
	})
	return aside, err
}

// move is setAside once it is marked. The database goes last: what is there without
// its log would be taken for one that was closed, and is good.
func move(path, aside string) error {
	dir := filepath.Dir(path)
	for _, companion := range []string{"-wal", "-shm"} {
		if err := rename(path+companion, aside+companion); err != nil {
			return err
		}
	}
	return errors.Join(state.SyncDir(dir), rename(path, aside), state.SyncDir(dir))
}

func rename(from, to string) error {
	if err := os.Rename(from, to); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// resume ends what an earlier process had begun to set aside, and says of what it
// had that it is.
func resume(ctx context.Context, path string, patience time.Duration) (told, err error) {
	var warnings []error
	for _, aside := range marked(path) {
		if !exists(aside) && (exists(aside+"-wal") || exists(aside+"-shm")) {
			if err := unused(ctx, path, patience, func() error { return move(path, aside) }); err != nil {
				return nil, fmt.Errorf("setting aside what is damaged: %w", err)
			}
		}
		if exists(aside) {
			warnings = append(warnings, fmt.Errorf("%s could not be read, and is kept as %s", path, aside))
		}
	}
	return errors.Join(warnings...), nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
