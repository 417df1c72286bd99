//go:build !linux && !darwin

package workspace

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// A folder is a folder below the root. It is opened through the root. If the folder is replaced by
// a link in the meantime, it shows no names from outside.
type folder struct {
	path string // below the root; "" is the root
	root *os.Root
	file *os.File
}

func firstFolder(root *os.Root) (*folder, error) {
	f, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	return &folder{root: root, file: f}, nil
}

// open opens a subfolder.
func (f *folder) open(name string) (*folder, error) {
	below := path.Join(f.path, name)
	file, err := f.root.Open(filepath.FromSlash(below))
	if err != nil {
		return nil, err
	}
	return &folder{below, f.root, file}, nil
}

func (f *folder) close() { _ = f.file.Close() }

// names returns the folder's entries.
func (f *folder) names() ([]fs.DirEntry, error) { return f.file.ReadDir(-1) }

// entry returns a file in the folder. ok is false if the file no longer exists.
func (f *folder) entry(name string, d fs.DirEntry) (Entry, bool) {
	info, err := d.Info()
	if err != nil {
		return Entry{}, false
	}
	return NewEntry(name, info), true
}
