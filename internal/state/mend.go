package state

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// corrupt is what comes before the time in the name of a damaged file.
const (
	corrupt   = ".corrupt-"
	asideTime = "20060102-150405.000000"
)

func (f File) aside(now time.Time) string { return f.Path + corrupt + now.Format(asideTime) }

// mend puts what was there before the last change in the place of a file that is
// damaged, or that was set aside and not replaced, and says so. At no moment is
// there no file where there is something to take its place: that would read as one
// that never was.
func (f File) mend(v any, damage error) (warning error) {
	var data []byte
	unlock, locked := f.lock()
	if locked == nil {
		defer unlock()
		// Another process may be mending it, or have mended it.
		var err error
		if data, err = os.ReadFile(f.Path); err == nil {
			damage = parse(data, v)
		} else if damage = err; !errors.Is(err, fs.ErrNotExist) {
			locked = err // what can't be read can't be kept either
		}
		if damage == nil {
			return nil
		}
	}
	backup, err := os.ReadFile(f.Path + ".bak")
	if err == nil {
		err = parse(backup, v)
	}
	restored := err == nil
	if errors.Is(damage, fs.ErrNotExist) {
		aside := f.unrestored()
		if aside == "" || !restored {
			return nil // it was told
		}
		if err = locked; err == nil {
			err = f.restore(backup)
		}
		return restoredLate(f.Path, aside, err)
	}
	aside := f.aside(time.Now())
	switch {
	case locked != nil:
		err = locked
	case restored:
		err = f.replace(aside, data, backup, os.Link)
	default:
		err = os.Rename(f.Path, aside)
	}
	return damaged(f.Path, aside, damage, err, restored)
}

// replace keeps the file, which holds data, as aside, and puts the backup in its
// place. On an error it is as it was.
func (f File) replace(aside string, data, backup []byte, link func(string, string) error) error {
	err := link(f.Path, aside)
	if err == nil {
		err = SyncDir(filepath.Dir(aside))
	} else {
		err = WriteFile(aside, data)
	}
	if err == nil {
		err = f.restore(backup)
	}
	if err == nil {
		return nil
	}
	// What failed may be what comes after the replacement.
	if now, failed := os.ReadFile(f.Path); failed == nil && bytes.Equal(now, backup) {
		return nil
	}
	_ = os.Remove(aside) // what it holds is still where it was
	return err
}

// restore puts the backup in the place of the file. That its time is the present
// one says that this was done: who removes the file then wants the defaults.
func (f File) restore(backup []byte) error {
	if err := WriteFile(f.Path, backup); err != nil {
		return err
	}
	now := time.Now()
	_ = os.Chtimes(f.Path+".bak", now, now) // or the file comes back once more
	return nil
}

// unrestored is the file that was set aside last, if nothing has been restored or
// saved since: who did it came to no more.
func (f File) unrestored() (aside string) {
	backup, err := os.Stat(f.Path + ".bak")
	if err != nil {
		return ""
	}
	dir, prefix := filepath.Dir(f.Path), filepath.Base(f.Path)+corrupt
	files, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	for _, file := range files { // in order of their names, and so of time
		if when, ours := strings.CutPrefix(file.Name(), prefix); ours {
			if at, err := time.ParseInLocation(asideTime, when, time.Local); err == nil && at.After(backup.ModTime()) {
				aside = filepath.Join(dir, file.Name())
			}
		}
	}
	return aside
}

// damaged is the sentence for a person whose file was damaged.
func damaged(path, aside string, damage, kept error, restored bool) error {
	where := "It is kept as " + aside
	if kept != nil {
		where = fmt.Sprintf("It could not be set aside (%v)", kept)
	}
	now := "the defaults are used"
	if restored {
		now = "what was there before the last change is used"
	}
	return fmt.Errorf("%s could not be read: %w. %s, and %s", path, damage, where, now)
}

// restoredLate is the one for a person whose file was set aside by a goated that
// came to no more.
func restoredLate(path, aside string, failed error) error {
	err := fmt.Errorf("%s was damaged. It is kept as %s, and what was there before the last change is used", path, aside)
	if failed != nil {
		err = fmt.Errorf("%w; it could not be put in its place: %w", err, failed)
	}
	return err
}
