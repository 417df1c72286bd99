package folders

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"goated/internal/state"
)

// ownersName is the file beside the folders that holds [owners].
const ownersName = "folders.json"

// owners says which server has which folder, by the folder's name. Older versions of goated kept no owners.
type owners struct {
	Folders map[string]owner `json:"folders"`
}

// An owner is the key and the name of a server. Two accounts of one server have the same key.
type owner struct {
	Key  string `json:"key"`
	Name string `json:"name,omitempty"`
	// Shared marks a folder of an older version of goated, in which all servers with its key wrote.
	// The first one with a name owns it, and the one without a name still uses it.
	Shared bool `json:"shared,omitempty"`
}

// same reports whether both identify the same server.
func (o owner) same(s owner) bool { return o.Key == s.Key && o.Name == s.Name }

// find returns the name of a server's folder, and whether it has an entry.
func (o owners) find(s owner) (folder string, known bool) {
	for folder, is := range o.Folders {
		if is.same(s) {
			return folder, true
		}
	}
	if is, ok := o.Folders[s.Key]; ok && is.Shared && is.Key == s.Key && s.Name == "" {
		return s.Key, true
	}
	folder = s.Key
	for i := 2; ; i++ {
		if _, taken := o.Folders[folder]; !taken {
			return folder, false
		}
		folder = s.Key + "-" + strconv.Itoa(i)
	}
}

// set makes s the owner of a folder.
func (o *owners) set(folder string, s owner) {
	if o.Folders == nil {
		o.Folders = make(map[string]owner)
	}
	o.Folders[folder] = s
}

// Keep gives the folder of a server to the server that replaces it, for example one with another argument
// or another name, unless that has files already.
func (t *Tree) Keep(was, now Server) error {
	if was.Bundled || now.Bundled {
		return nil
	}
	old, err := was.owner()
	if err != nil {
		return err
	}
	s, err := now.owner()
	if err != nil || s == old {
		return err
	}
	parent, err := t.Parent()
	if err != nil {
		return err
	}
	return t.change(parent, func(all *owners) bool {
		folder, _ := all.find(old)
		its, _ := all.find(s)
		if its != folder {
			if files, err := os.ReadDir(filepath.Join(parent, its, "files")); err == nil && len(files) > 0 {
				return false
			}
			delete(all.Folders, its)
		}
		all.set(folder, s)
		return true
	})
}

// owner returns what identifies s in [owners].
func (s Server) owner() (owner, error) {
	key, err := s.key()
	return owner{Key: key, Name: s.Name}, err
}

// claim returns the name of a server's folder, and makes the server its owner.
func (t *Tree) claim(parent string, s owner) (folder string, err error) {
	all, err := t.load(parent)
	folder, known := all.find(s)
	if known || err != nil {
		return folder, err
	}
	return folder, t.change(parent, func(all *owners) bool {
		if folder, known = all.find(s); known {
			return false
		}
		_, err := os.Stat(filepath.Join(parent, folder))
		if s.Shared = err == nil; s.Shared && s.Name == "" {
			return false // the first server with a name owns it
		}
		all.set(folder, s)
		return true
	})
}

// change changes the owners, unless change returns false. No other process changes them meanwhile.
func (t *Tree) change(parent string, change func(all *owners) bool) error {
	file := state.File{Path: filepath.Join(parent, ownersName)}
	return file.Exclusive(func() error {
		all, err := t.load(parent)
		if err != nil || !change(&all) {
			return err
		}
		return file.Save(all)
	})
}

// load reads the owners of the folders in parent.
func (t *Tree) load(parent string) (all owners, err error) {
	warning, err := state.File{Path: filepath.Join(parent, ownersName)}.Load(&all)
	if warning != nil {
		t.log.Warn("reading which server has which folder", "cause", warning)
	}
	if err != nil {
		return all, fmt.Errorf("reading which server has which folder: %w", err)
	}
	return all, nil
}
