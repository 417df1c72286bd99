package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// containers are folders below the home folder in which each program has its own folder. A
// permission is for that folder.
var containers = []string{".config", ".cache", ".local", ".local/share", ".local/state", ".local/lib", "Library", "Library/Caches", "Library/Application Support"}

// newFile returns the permission to create a file. It is the permission to write the file's folder,
// or only the file if the folder also belongs to others, like the home folder.
func newFile(path, home string) Permission {
	if dir := filepath.Dir(path); !holdsMuch(dir, home) {
		return Permission{Kind: ToWrite, Path: dir}
	}
	return Permission{Kind: ToWriteFile, Path: path}
}

// holdsMuch reports whether a folder belongs to more than one program.
func holdsMuch(dir, home string) bool {
	d := derivation{home: home}
	if d.isCommon(dir) {
		return true
	}
	return home != "" && slices.ContainsFunc(containers, func(name string) bool { return dir == filepath.Join(home, filepath.FromSlash(name)) })
}

// Resolved returns the permission that p really gives, so that goated never asks the user for less.
// For a link, it is for the link's target. For a missing file, it is to create the file in its
// folder, or only the file if the folder belongs to several programs. For a missing folder, it is
// for the first missing folder on its path, but never for a folder in which many programs have
// folders. Resolved reads the file system.
func (p Permission) Resolved() Permission {
	if p.Kind != ToRead && p.Kind != ToWrite && p.Kind != ToWriteFile || !filepath.IsAbs(p.Path) {
		return p
	}
	home, _ := os.UserHomeDir()
	p.Path = filepath.Clean(p.Path)
	if real, err := filepath.EvalSymlinks(p.Path); err == nil {
		p.Path = real
		return p
	} else if !errors.Is(err, fs.ErrNotExist) {
		return p
	}
	parent := filepath.Dir(p.Path)
	real, err := filepath.EvalSymlinks(parent)
	switch {
	case err == nil && p.Kind == ToRead:
		return newFile(filepath.Join(real, filepath.Base(p.Path)), home)
	case err == nil:
		p.Path = filepath.Join(real, filepath.Base(p.Path))
		return p
	}
	for !holdsMuch(parent, home) {
		above, err := filepath.EvalSymlinks(filepath.Dir(parent))
		if err == nil {
			return Permission{Kind: ToWrite, Path: filepath.Join(above, filepath.Base(parent)), At: p.At}
		}
		if holdsMuch(filepath.Dir(parent), home) {
			break
		}
		parent = filepath.Dir(parent)
	}
	return Permission{Kind: ToWrite, Path: parent, At: p.At}
}

// belongs reports whether a file belongs to another one in the same folder, such as its journal,
// lock or temporary copy.
func belongs(name, file string) bool {
	rest, ok := strings.CutPrefix(name, file)
	return ok && (rest == "" || rest[0] == '-' || rest[0] == '.' || rest == "~")
}
