//go:build linux || darwin

package workspace

import (
	"io/fs"
	"os"
	"path"

	"golang.org/x/sys/unix"
)

// A folder is an open folder. Its entries are opened relative to it, and never through a link. If
// the folder is replaced by a link in the meantime, it shows no names from outside.
type folder struct {
	path string // below the root; "" is the root
	file *os.File
}

func firstFolder(root *os.Root) (*folder, error) {
	f, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	return &folder{file: f}, nil
}

// open opens a subfolder.
func (f *folder) open(name string) (*folder, error) {
	fd, err := unix.Openat(int(f.file.Fd()), name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return &folder{path.Join(f.path, name), os.NewFile(uintptr(fd), name)}, nil
}

func (f *folder) close() { _ = f.file.Close() }

// names returns the folder's entries without a stat of each file.
func (f *folder) names() ([]fs.DirEntry, error) { return f.file.ReadDir(-1) }

// entry returns a file in the folder. ok is false if the file no longer exists.
func (f *folder) entry(name string, d fs.DirEntry) (Entry, bool) {
	var s unix.Stat_t
	if err := unix.Fstatat(int(f.file.Fd()), d.Name(), &s, unix.AT_SYMLINK_NOFOLLOW); err != nil || s.Mode&unix.S_IFMT != unix.S_IFREG {
		return Entry{}, false
	}
	return Entry{Path: name, Size: s.Size, ModTime: s.Mtim.Nano(), Changed: s.Ctim.Nano()}, true
}
