package state

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"
)

// A quarantined file is named after its path, with this suffix and the time.
const (
	corrupt    = ".corrupt-"
	timeFormat = "20060102-150405.000000"
)

func (f File) quarantineName(now time.Time) string { return f.Path + corrupt + now.Format(timeFormat) }

// recover restores the backup of a file that is damaged, or that another process quarantined
// without replacing it. It returns the warning. The file exists at every moment, because a missing
// file would mean the defaults.
func (f File) recover(v any, damage error) (warning error) {
	var data []byte
	unlock, locked := f.lock()
	if locked == nil {
		defer unlock()
		// Another process may have recovered the file in the meantime.
		var err error
		if data, err = os.ReadFile(f.Path); err == nil {
			damage = parse(data, v)
		} else if damage = err; !errors.Is(err, fs.ErrNotExist) {
			locked = err // an unreadable file cannot be copied
		}
		if damage == nil {
			return nil
		}
	}
	backup, lost := salvage(data, v)
	var err error
	if backup == nil {
		backup, err = os.ReadFile(f.Path + ".bak")
	}
	if err == nil {
		err = parse(backup, v)
	}
	restored := err == nil
	if errors.Is(damage, fs.ErrNotExist) {
		kept := f.unrestored()
		if kept == "" || !restored {
			return nil // there was a warning before
		}
		if err = locked; err == nil {
			err = f.restore(backup)
		}
		return restoredLate(f.Path, kept, err)
	}
	kept := f.quarantineName(time.Now())
	switch {
	case locked != nil:
		err = locked
	case restored:
		err = f.replace(kept, data, backup, os.Link)
	default:
		err = os.Rename(f.Path, kept)
	}
	return damaged(f.Path, kept, damage, err, restored, lost)
}

// salvage returns the members of an object that fit the struct v, and the names of the others. It
// returns nil if data is not an object, or if no member fits.
func salvage(data []byte, v any) (good []byte, wrong []string) {
	members := make(map[string]json.RawMessage)
	if json.Unmarshal(data, &members) != nil {
		return nil, nil
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		one, err := json.Marshal(map[string]json.RawMessage{name: members[name]})
		if err != nil || parse(one, reflect.New(structOf(v)).Interface()) != nil {
			wrong = append(wrong, name)
			delete(members, name)
		}
	}
	if len(wrong) == 0 || len(members) == 0 {
		return nil, nil
	}
	good, err := json.MarshalIndent(members, "", "  ")
	if err != nil {
		return nil, nil
	}
	return append(good, '\n'), wrong
}

// replace keeps the file, which contains data, under the name kept, and restores the backup. After
// an error the file is unchanged.
func (f File) replace(kept string, data, backup []byte, link func(string, string) error) error {
	err := link(f.Path, kept)
	if err == nil {
		err = SyncDir(filepath.Dir(kept))
	} else {
		err = WriteFile(kept, data)
	}
	if err == nil {
		err = f.restore(backup)
	}
	if err == nil {
		return nil
	}
	// The error may have occurred after the replacement.
	if now, failed := os.ReadFile(f.Path); failed == nil && bytes.Equal(now, backup) {
		return nil
	}
	_ = os.Remove(kept) // the file itself is unchanged
	return err
}

// restore replaces the file with the backup and sets the backup's time to now. The time marks the
// recovery as done: if the user removes the file later, they want the defaults.
func (f File) restore(backup []byte) error {
	if err := WriteFile(f.Path, backup); err != nil {
		return err
	}
	now := time.Now()
	_ = os.Chtimes(f.Path+".bak", now, now) // otherwise a removed file would come back once
	return nil
}

// unrestored returns the newest quarantined file if nothing has been restored or saved since then.
// That happens if the process that renamed the file was killed.
func (f File) unrestored() (kept string) {
	backup, err := os.Stat(f.Path + ".bak")
	if err != nil {
		return ""
	}
	dir, prefix := filepath.Dir(f.Path), filepath.Base(f.Path)+corrupt
	files, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	for _, file := range files { // sorted by name, and so by time
		if when, ours := strings.CutPrefix(file.Name(), prefix); ours {
			if at, err := time.ParseInLocation(timeFormat, when, time.Local); err == nil && at.After(backup.ModTime()) {
				kept = filepath.Join(dir, file.Name())
			}
		}
	}
	return kept
}

// damaged returns the warning about a damaged file.
func damaged(path, kept string, damage, failed error, restored bool, lost []string) error {
	where := "It is kept as " + kept
	if failed != nil {
		where = fmt.Sprintf("It could not be renamed (%v)", failed)
	}
	now := "goated uses the defaults"
	if restored {
		now = "goated uses the contents from before the last change"
	}
	if len(lost) > 0 {
		now = "goated uses all of it but " + strings.Join(lost, ", ")
	}
	return fmt.Errorf("%s could not be read: %w. %s, and %s", path, damage, where, now)
}

// restoredLate returns the warning about a file that was quarantined by a process that was then
// killed.
func restoredLate(path, kept string, failed error) error {
	err := fmt.Errorf("%s was damaged. It is kept as %s, and goated uses the contents from before the last change", path, kept)
	if failed != nil {
		err = fmt.Errorf("%w; the file could not be restored: %w", err, failed)
	}
	return err
}
