// Package workspace reads the files in one folder. It honours .gitignore, and no path or symbolic
// link can lead out of the folder.
//
// It owns the rules for paths. It must not know outlines or artifacts.
package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// ArtifactFolder is the folder of the artifacts, relative to the root. Files never lists it.
const ArtifactFolder = ".artifacts"

// maxFiles bounds the listed files of a workspace.
const maxFiles = 200_000

// Errors of paths. Callers wrap them with the path.
var (
	ErrOutside = errors.New("the path is outside the workspace")
	ErrLarge   = errors.New("the file is too large")
	ErrNotFile = errors.New("the path is not a regular file")
	ErrIgnored = errors.New("the workspace leaves out this path")
	ErrLink    = errors.New("it leads over an absolute link. Use the real path") // of a link into the workspace
)

// A SizeError is an [ErrLarge] for a file.
type SizeError struct {
	Name        string
	Size, Limit int64 // in bytes
}

func (e *SizeError) Error() string { return e.Name + " is too large: " + e.Sizes() }

// Sizes returns the size and the limit in words.
func (e *SizeError) Sizes() string {
	return fmt.Sprintf("%s, at most %s", mebibytes(e.Size), mebibytes(e.Limit))
}

func (e *SizeError) Unwrap() error { return ErrLarge }

// mebibytes rounds up to a tenth, so that the size of a file slightly above the limit differs from
// the limit.
func mebibytes(n int64) string {
	tenths := (n*10 + 1<<20 - 1) >> 20
	if tenths%10 == 0 {
		return fmt.Sprintf("%d MiB", tenths/10)
	}
	return fmt.Sprintf("%d.%d MiB", tenths/10, tenths%10)
}

// A Workspace is an open folder. Create it with Open. It is safe for concurrent use.
type Workspace struct {
	dir   string // absolute, without symbolic links
	given string // absolute, in the caller's form, which users and models know
	root  *os.Root
}

// Open opens a folder. Close releases it.
func Open(dir string) (*Workspace, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the workspace: %w", err)
	}
	given := abs
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, fmt.Errorf("opening the workspace: %w", err)
	}
	return &Workspace{dir: abs, given: given, root: root}, nil
}

// Close releases the folder.
func (w *Workspace) Close() error { return w.root.Close() }

// Dir returns the absolute path of the folder.
func (w *Workspace) Dir() string { return w.dir }

// Root gives access to the folder's files. The workspace owns it.
func (w *Workspace) Root() *os.Root { return w.root }

// Clean returns a path in the form in which it is stored: relative to the root, with slashes, and
// "." for the root. It also accepts an absolute path inside the folder.
func (w *Workspace) Clean(name string) (string, error) {
	if strings.ContainsRune(name, 0) {
		return "", fmt.Errorf("%q: %w", name, fs.ErrInvalid)
	}
	given := name
	if filepath.IsAbs(name) {
		rel, ok := w.below(filepath.Clean(name))
		if !ok {
			return "", fmt.Errorf("%s: %w", given, ErrOutside)
		}
		name = rel
	}
	name = path.Clean(filepath.ToSlash(name))
	if strings.HasPrefix(name, "/") || !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", fmt.Errorf("%s: %w", given, ErrOutside)
	}
	return name, nil
}

// below returns an absolute path relative to the root. Both the folder of the workspace and the
// path may contain links.
func (w *Workspace) below(name string) (rel string, ok bool) {
	for _, dir := range []string{w.dir, w.given} {
		if rel, err := filepath.Rel(dir, name); err == nil && filepath.IsLocal(rel) {
			return rel, true
		}
	}
	if !sameVolume(name, w.dir) && !sameVolume(name, w.given) { // accessing \\host\share sends the user's credentials
		return "", false
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", false
	}
	rel, err = filepath.Rel(w.dir, real)
	return rel, err == nil && filepath.IsLocal(rel)
}

// sameVolume reports whether two absolute paths are on the same drive or share. Only Windows has
// those.
func sameVolume(a, b string) bool {
	return strings.EqualFold(filepath.VolumeName(a), filepath.VolumeName(b))
}

// Folder returns the real path of a cleaned path to a folder behind a link inside the workspace. It
// returns other paths unchanged. Files, and the paths of artifacts, only have real paths.
func (w *Workspace) Folder(name string) string {
	if info, err := w.Stat(name); err != nil || !info.IsDir() {
		return name
	}
	return w.Real(name)
}

// Real returns the path of the file or folder to which a cleaned path leads. If that does not exist
// or is outside the workspace, Real returns the path unchanged.
func (w *Workspace) Real(name string) string {
	real, err := filepath.EvalSymlinks(filepath.Join(w.dir, filepath.FromSlash(name)))
	if err != nil {
		return name
	}
	rel, err := filepath.Rel(w.dir, real)
	if err != nil || !filepath.IsLocal(rel) {
		return name
	}
	return filepath.ToSlash(rel)
}

// Gone reports whether the folder was removed or replaced by another one.
func (w *Workspace) Gone() bool {
	now, err := os.Stat(w.dir)
	then, fault := w.root.Stat(".")
	return err != nil || fault != nil || !os.SameFile(now, then)
}

// Stat returns the file info of a cleaned path. It follows links inside the folder.
func (w *Workspace) Stat(name string) (fs.FileInfo, error) {
	info, err := w.root.Stat(filepath.FromSlash(name))
	return info, w.outside(name, err)
}

func (w *Workspace) open(name string) (*os.File, error) {
	f, err := w.root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0) // opening a pipe must not block
	return f, w.outside(name, err)
}

// Read returns a file of at most limit bytes, with its file info at the time of reading.
func (w *Workspace) Read(name string, limit int64) ([]byte, fs.FileInfo, error) {
	f, err := w.open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s: %w", name, ErrNotFile)
	}
	if info.Size() > limit {
		return nil, info, &SizeError{name, info.Size(), limit}
	}
	var b bytes.Buffer
	b.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := b.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if int64(b.Len()) > limit { // the file grew
		return nil, info, &SizeError{name, int64(b.Len()), limit}
	}
	return b.Bytes(), info, nil
}

// Head returns at most the first n bytes of a file.
func (w *Workspace) Head(name string, n int) ([]byte, error) {
	f, err := w.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, n)
	got, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return data[:got], nil
}

// Copy writes a file of any size to to, and returns its file info from before the copy.
func (w *Workspace) Copy(to io.Writer, name string) (fs.FileInfo, error) {
	f, err := w.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", name, ErrNotFile)
	}
	if _, err := io.Copy(to, f); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return info, nil
}

// outside gives the error for a link that leaves the folder a separate kind, and removes the
// absolute path from other errors. An absolute link also leaves the folder, although it may lead
// back into it.
func (w *Workspace) outside(name string, err error) error {
	if err == nil {
		return nil
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		if strings.Contains(p.Err.Error(), "escapes") {
			if real, err := filepath.EvalSymlinks(filepath.Join(w.dir, filepath.FromSlash(name))); err == nil {
				if rel, err := filepath.Rel(w.dir, real); err == nil && filepath.IsLocal(rel) {
					return fmt.Errorf("%s: %w: %s", name, ErrLink, filepath.ToSlash(rel))
				}
			}
			return fmt.Errorf("%s: %w", name, ErrOutside)
		}
		err = p.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// isExcludedFolder lists folders that contain no sources of the user, even without a .gitignore.
func isExcludedFolder(name string) bool {
	switch name {
	case ".git", ".hg", ".svn", ArtifactFolder, "node_modules", "__pycache__", ".venv", ".tox", ".mypy_cache", ".pytest_cache", ".ruff_cache":
		return true
	}
	return false
}

// readSmall reads a small configuration file. It returns nil if there is none.
func (w *Workspace) readSmall(name string) []byte {
	data, _, err := w.Read(name, 1<<20)
	if err != nil {
		return nil
	}
	return data
}

// Ignored reports whether git would ignore a cleaned path, or a folder above it.
func (w *Workspace) Ignored(name string) bool {
	fold := w.ignoresCase()
	rules := w.rules(nil, "", ".git/info/exclude", fold)
	dir := ""
	parts := strings.Split(name, "/")
	for i, part := range parts {
		rules = w.rules(rules, dir, ".gitignore", fold)
		dir = path.Join(dir, part)
		isDir := i < len(parts)-1
		if !isDir {
			info, err := w.Stat(dir)
			isDir = err == nil && info.IsDir()
		}
		if isDir && isExcludedFolder(part) || ignored(rules, dir, isDir) {
			return true
		}
	}
	return false
}
