package workspace

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// An Entry is a regular file as it was listed. Two equal entries have the same content, as
// far as the system can tell.
type Entry struct {
	Path    string // relative to the root, with slashes
	Size    int64
	ModTime int64 // nanoseconds since 1970
	Changed int64 // when the file or its facts changed, which no program can set; 0: unknown
}

// NewEntry returns the entry of a file with these facts.
func NewEntry(name string, info fs.FileInfo) Entry {
	return Entry{Path: name, Size: info.Size(), ModTime: info.ModTime().UnixNano(), Changed: changed(info)}
}

// Files lists the regular files that git would not ignore, sorted by path. It does not
// follow symbolic links, and leaves out folders that it cannot read. It stops at 200,000
// files; more reports that there are more.
func (w *Workspace) Files(ctx context.Context) (files []Entry, more bool, err error) {
	l := &lister{ctx: ctx, free: make(chan struct{}, runtime.GOMAXPROCS(0)-1)}
	var top []*ignoreFile
	if f := parseIgnore("", w.small(".git/info/exclude")); f != nil {
		top = append(top, f)
	}
	l.folder(w, "", top)
	l.work.Wait()
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	slices.SortFunc(l.files, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return l.files, l.more, nil
}

// A lister lists a workspace, several folders at a time: most of the time goes into
// waiting for the system.
type lister struct {
	ctx  context.Context // one call of Files
	free chan struct{}   // has a place for each goroutine more than the first
	work sync.WaitGroup

	mu    sync.Mutex
	files []Entry
	more  bool
}

// add adds the files of a folder. It reports whether there is room for more.
func (l *lister) add(files []Entry) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if room := maxFiles - len(l.files); len(files) > room {
		files, l.more = files[:room], true
	}
	l.files = append(l.files, files...)
	return !l.more
}

// below lists a folder, beside this goroutine if there is a place.
func (l *lister) below(w *Workspace, dir string, rules []*ignoreFile) {
	select {
	case l.free <- struct{}{}:
		l.work.Go(func() {
			defer func() { <-l.free }()
			l.folder(w, dir, rules)
		})
	default:
		l.folder(w, dir, rules)
	}
}

func (l *lister) folder(w *Workspace, dir string, rules []*ignoreFile) {
	if l.ctx.Err() != nil {
		return
	}
	names, err := w.readDir(dir)
	if err != nil {
		return
	}
	for _, d := range names {
		if d.Name() == ".gitignore" {
			if f := parseIgnore(dir, w.small(path.Join(dir, ".gitignore"))); f != nil {
				rules = append(slices.Clip(rules), f)
			}
		}
	}
	files := make([]Entry, 0, len(names))
	var folders []string
	for _, d := range names {
		name := path.Join(dir, d.Name())
		switch {
		case d.IsDir():
			if !never(d.Name()) && !ignored(rules, name, true) {
				folders = append(folders, name)
			}
		case d.Type().IsRegular():
			if ignored(rules, name, false) {
				continue
			}
			info, err := d.Info()
			if err != nil {
				continue // deleted meanwhile
			}
			files = append(files, NewEntry(name, info))
		}
	}
	if !l.add(files) {
		return
	}
	for _, f := range folders {
		l.below(w, f, rules)
	}
}

// readDir lists a folder through the root, so that a folder that becomes a link meanwhile
// shows no names from outside.
func (w *Workspace) readDir(dir string) ([]fs.DirEntry, error) {
	f, err := w.root.OpenFile(cmp.Or(filepath.FromSlash(dir), "."), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}
