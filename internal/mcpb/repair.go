package mcpb

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"
)

// A change uses folders with these names until it is complete.
const (
	parted = ".part-" // a bundle that is being unpacked, or that an update has replaced
	olden  = ".old"   // suffix for a bundle that an update is replacing
	gone   = ".gone-" // a bundle that is being removed
)

// replace moves the new bundle in the folder part to its place. If the process is killed during
// that, either the old or the new bundle is in place. On systems that cannot exchange folders there
// may be none, and repair restores the old one.
func replace(part, place string) error {
	if exchange(part, place) == nil {
		return nil
	}
	old := part + olden
	replaced := os.Rename(place, old) == nil
	if err := os.Rename(part, place); err != nil {
		if replaced {
			err = errors.Join(err, os.Rename(old, place))
		}
		return err
	}
	_ = os.RemoveAll(old) // repair removes what is left of it
	return nil
}

// repair completes the changes that other processes did not finish. The caller holds the lock. If
// something cannot be removed now, for example a file that is in use, other bundles can still
// change, and the next change tries again. repair fails only if it cannot restore a bundle that the
// caller changes.
func (f Folder) repair(changed []string) (err error) {
	entries, _ := os.ReadDir(f.Path) // if this fails, the change itself fails too
	for _, e := range entries {
		path := filepath.Join(f.Path, e.Name())
		if isOld(e.Name()) {
			if place, ok := f.lost(path); ok {
				if failed := os.Rename(path, place); failed != nil && slices.Contains(changed, filepath.Base(place)) {
					err = failed
				}
				continue
			}
		}
		if strings.HasPrefix(e.Name(), parted) || strings.HasPrefix(e.Name(), gone) {
			_ = os.RemoveAll(path)
		}
	}
	return err
}

// restore restores the bundles that interrupted updates moved aside. It does nothing if another
// process is changing bundles, because that may be in the middle of an update. Functions that only
// read bundles call it, so that a server can start before the next installation.
func (f Folder) restore() {
	entries, _ := os.ReadDir(f.Path)
	if !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return isOld(e.Name()) }) {
		return
	}
	l := flock.New(filepath.Join(f.Path, lockFile))
	defer l.Close()
	if alone, err := l.TryLock(); alone && err == nil {
		_ = f.repair(nil)
	}
}

// isOld reports whether a folder contains a bundle that an update was replacing.
func isOld(name string) bool {
	return strings.HasPrefix(name, parted) && strings.HasSuffix(name, olden)
}

// lost returns the place of a bundle whose update was interrupted, if the place is still free.
func (f Folder) lost(path string) (place string, ok bool) {
	var i Installed
	text, err := os.ReadFile(filepath.Join(path, receipt))
	if err != nil || json.Unmarshal(text, &i) != nil || !local(i.ID) {
		return "", false
	}
	place = filepath.Join(f.Path, i.ID)
	_, err = os.Lstat(place)
	return place, errors.Is(err, os.ErrNotExist)
}

// local reports whether a text can be a bundle's id.
func local(id string) bool {
	return id != "" && !strings.HasPrefix(id, ".") && filepath.Base(id) == id
}
