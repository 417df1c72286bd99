package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"goated/internal/ctime"
)

// An Entry describes a regular file at the time of the listing. If two entries are equal, the files
// have the same content, as far as the system can tell.
type Entry struct {
	Path    string // relative to the root, with slashes
	Size    int64
	ModTime int64 // nanoseconds since 1970
	Changed int64 // the inode change time, which no program can set; 0 if unknown
}

// NewEntry returns the entry for a file with this info.
func NewEntry(name string, info fs.FileInfo) Entry {
	return Entry{Path: name, Size: info.Size(), ModTime: info.ModTime().UnixNano(), Changed: ctime.Of(info)}
}

// Files lists the regular files that git would not ignore, sorted by path. It does not follow
// symbolic links. It skips folders that it cannot read, and linked worktrees of a repository that
// it lists, because they contain the same code again. It stops at 200,000 files. more reports that
// there are more.
func (w *Workspace) Files(ctx context.Context) (files []Entry, more bool, err error) {
	l := &lister{fold: w.ignoresCase(), free: make(chan struct{}, runtime.GOMAXPROCS(0)-1)}
	top := w.rules(nil, "", ".git/info/exclude", l.fold)
	first, err := firstFolder(w.root)
	if err != nil {
		return nil, false, fmt.Errorf("listing the workspace: %w", err)
	}
	l.folder(ctx, w, first, top)
	l.work.Wait()
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	slices.SortFunc(l.files, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return l.files, l.more, nil
}

// A lister lists a workspace, several folders at a time, because most of the time is spent waiting
// for the system.
type lister struct {
	fold bool          // git ignores case
	free chan struct{} // has a slot for each additional goroutine
	work sync.WaitGroup

	mu    sync.Mutex
	files []Entry
	more  bool
}

// add adds the files of a folder. It returns false if the limit is reached.
func (l *lister) add(files []Entry) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if room := maxFiles - len(l.files); len(files) > room {
		files, l.more = files[:room], true
	}
	l.files = append(l.files, files...)
	return !l.more
}

// below lists an open folder and closes it. It uses another goroutine if there is a free slot.
func (l *lister) below(ctx context.Context, w *Workspace, dir *folder, rules []*ignoreFile) {
	select {
	case l.free <- struct{}{}:
		l.work.Go(func() {
			defer func() { <-l.free }()
			l.folder(ctx, w, dir, rules)
		})
	default:
		l.folder(ctx, w, dir, rules)
	}
}

// folder lists an open folder and closes it.
func (l *lister) folder(ctx context.Context, w *Workspace, dir *folder, rules []*ignoreFile) {
	defer dir.close()
	if ctx.Err() != nil {
		return
	}
	names, err := dir.names()
	if err != nil {
		return
	}
	for _, d := range names {
		if d.Name() == ".git" && dir.path != "" && w.worktree(dir.path) {
			return
		}
		if d.Name() == ".gitignore" {
			rules = w.rules(rules, dir.path, ".gitignore", l.fold)
		}
	}
	files := make([]Entry, 0, len(names))
	var folders []string
	for _, d := range names {
		name := d.Name()
		if dir.path != "" {
			name = dir.path + "/" + name
		}
		switch {
		case d.IsDir():
			if !isExcludedFolder(d.Name()) && !ignored(rules, name, true) {
				folders = append(folders, d.Name())
			}
		case d.Type().IsRegular():
			if d.Name() == ".git" || ignored(rules, name, false) { // of a submodule or a worktree
				continue
			}
			if e, ok := dir.entry(name, d); ok {
				files = append(files, e)
			}
		}
	}
	if !l.add(files) {
		return
	}
	for _, name := range folders {
		if sub, err := dir.open(name); err == nil {
			l.below(ctx, w, sub, rules)
		}
	}
}

// worktree reports whether a folder is a linked worktree that contains the workspace's code again.
// This is true if it is below a worktree of the same repository, or if the repository's main
// checkout is listed. A linked worktree of a bare repository, or of a repository elsewhere, is the
// only copy of its code. A submodule is not a linked worktree, even if it is in a folder named
// worktrees.
func (w *Workspace) worktree(dir string) bool {
	repository, linked := w.repository(dir)
	if !linked {
		return false
	}
	for up := dir; up != "."; {
		up = path.Dir(up)
		if r, linked := w.repository(up); linked && r == repository {
			return true
		}
	}
	main, usual := strings.CutSuffix(repository, "/.git")
	if !usual {
		return false
	}
	main, err := w.Clean(main)
	if err != nil || main != "." && w.Ignored(main) {
		return false
	}
	_, err = w.Stat(path.Join(main, ".git", "index")) // a bare repository has none, even if it is named .git
	return err == nil
}

// repository returns the absolute path of the git folder to which a linked worktree belongs.
func (w *Workspace) repository(dir string) (folder string, linked bool) {
	link, ok := strings.CutPrefix(string(w.readSmall(path.Join(dir, ".git"))), "gitdir:")
	if !ok {
		return "", false
	}
	folder, name := path.Split(strings.ReplaceAll(strings.TrimSpace(link), "\\", "/"))
	if folder, linked = strings.CutSuffix(folder, "/worktrees/"); !linked || name == "" {
		return "", false
	}
	if !filepath.IsAbs(folder) {
		folder = path.Join(filepath.ToSlash(w.dir), dir, folder)
	}
	return folder, true
}
