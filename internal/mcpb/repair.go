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

// The names of the folders that a change uses until it is complete.
const (
	parted = ".part-" // a bundle that is not unpacked yet, or that an update replaced
	olden  = ".old"   // ends the name of a bundle whose update takes its place
	gone   = ".gone-" // a bundle that is being removed
)

// replace gives the bundle in the folder part its place. A process that is killed meanwhile leaves
// the old bundle or the new one there. Where folders cannot be exchanged it may leave none, and
// repair brings the old one back.
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
	_ = os.RemoveAll(old) // repair removes the rest of it
	return nil
}

// repair completes the changes of processes that ended in the middle of one. The caller has the
// lock. What cannot be removed now, such as a file that a program still uses, keeps nobody from
// changing other bundles: the next change tries again. The error is that of a bundle which the
// caller changes, if its only copy is still aside.
func (f Folder) repair(changed []string) (err error) {
	entries, _ := os.ReadDir(f.Path) // the change itself fails if it cannot be read
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

// restore brings back the bundles that interrupted updates left aside, unless another process
// changes bundles now, and may be in the middle of an update. Who only reads bundles calls it, so that
// a server starts before the next installation.
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

// isOld reports whether a folder has the bundle that an update replaced.
func isOld(name string) bool {
	return strings.HasPrefix(name, parted) && strings.HasSuffix(name, olden)
}

// lost returns the place of a bundle that its update was taking, if the place is still free.
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

// local reports whether a text can be the id of a bundle.
func local(id string) bool {
	return id != "" && !strings.HasPrefix(id, ".") && filepath.Base(id) == id
}
