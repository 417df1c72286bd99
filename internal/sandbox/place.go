package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// containers are folders below the home in which each program has a folder of its own:
// a permission is for that one.
var containers = []string{".config", ".cache", ".local", ".local/share", ".local/state", ".local/lib", "Library", "Library/Caches", "Library/Application Support"}

// newFile returns the permission to create a file: to write its folder, or the file alone if
// the folder holds much else, such as the home folder.
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

// Resolved returns the permission that p really gives, so that the user is not asked for
// less: for a link, one for its target; for a missing path, one to create it. A missing
// file is created in its folder, or alone if the folder holds much else. Of a missing
// folder, Resolved returns the first missing one on its way, but none in which many
// programs have folders. It reads the file system.
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

// belongs reports whether a file belongs to another one in the same folder: its journal,
// lock or temporary copy.
func belongs(name, file string) bool {
	rest, ok := strings.CutPrefix(name, file)
	return ok && (rest == "" || rest[0] == '-' || rest[0] == '.' || rest == "~")
}
