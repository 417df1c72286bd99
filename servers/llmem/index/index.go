// Package index keeps the outlines of all files in a workspace. It parses the files that a caller
// needs first, and the rest in the background. A cache file keeps the outlines for later processes.
//
// It owns the workers and the cache. It must not know artifacts or the protocol.
package index

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"goated/servers/llmem/outline"
	"goated/servers/llmem/workspace"
)

// A Ref is an identifier that a file mentions.
type Ref struct {
	Name  uint32 // number of the name; see [Index.ID]
	Count uint32
}

// An Entry holds what the index knows about a file. Entries are immutable.
type Entry struct {
	workspace.Entry
	Sum      uint64 // of the content
	Language string
	Lines    int
	Young    bool   // it was read so soon after a change that a later change may look the same
	Errors   bool   // it has syntax errors
	Problem  string // why it has no outline although its language has outlines
	Symbols  []outline.Symbol
	Defs     []uint32 // numbers of the symbols' names
	Imports  []outline.Import
	Refs     []Ref // sorted by number
}

// A Status describes how complete the index is.
type Status struct {
	Files   int  // files of the workspace
	Source  int  // files that have an outline or whose language has outlines
	Pending int  // source files that are not parsed yet
	More    bool // the workspace has more files than the index lists
	Skipped []Skip
}

// A Skip is a source file without an outline.
type Skip struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// An Index holds the outlines of one workspace. Create it with New. It is safe for concurrent use.
type Index struct {
	o Options

	ctx    context.Context // canceled by Close
	cancel context.CancelFunc
	wg     sync.WaitGroup // workers and the saver

	listing sync.Mutex // only one Refresh lists at a time

	mu      sync.RWMutex
	loaded  bool
	closed  bool
	saver   saver
	version uint64 // counts changes of entries
	names   names
	entries map[string]*Entry
	listedFiles
	todo work
	sums map[string]content // contents of files without a usable entry
}

// names assigns numbers to the names of identifiers.
type names struct {
	list []string
	ids  map[string]uint32 // nil until needed
}

// work is the state of the workers.
type work struct {
	queue   []workspace.Entry // files to parse; the last one is parsed first
	workers int
	idle    chan struct{} // closed when the queue is empty and no worker runs
	gate    sync.RWMutex  // held by a caller that waits for files, so that the workers wait
}

// Options configure an index.
type Options struct {
	Workspace *workspace.Workspace
	Parser    *outline.Parser
	Cache     string // path of the cache file; empty means no cache
	MaxBytes  int64  // larger files are skipped; 0 means outline.DefaultMaxBytes
}

// New returns an index. It reads nothing before the first Refresh. The caller must call Close.
func New(o Options) *Index {
	ctx, cancel := context.WithCancel(context.Background())
	idle := make(chan struct{})
	close(idle)
	o.MaxBytes = cmp.Or(o.MaxBytes, outline.DefaultMaxBytes)
	return &Index{
		o: o, ctx: ctx, cancel: cancel, entries: make(map[string]*Entry), sums: make(map[string]content), todo: work{idle: idle}, saver: saver{delay: saveDelay},
	}
}

// Close stops the work in the background and waits for it.
func (x *Index) Close() {
	x.mu.Lock()
	x.closed, x.todo.queue = true, nil
	x.mu.Unlock()
	x.cancel()
	x.wg.Wait()
}

// A Want lists what Refresh must parse before it returns.
type Want struct {
	Wait     time.Duration // how long to wait for the rest of the files
	Name     string        // parse the files that mention this identifier, however long that takes
	Paths    []string      // parse these files
	Progress func(done, total int)
}

// Refresh compares the index with the folder and parses changed files. It returns when everything
// is parsed, or when the files that w names are parsed and w.Wait has passed. The rest continues in
// the background.
func (x *Index) Refresh(ctx context.Context, w Want) (Status, error) {
	began := time.Now()
	if err := x.list(ctx); err != nil {
		return Status{}, err
	}
	if len(w.Paths) > 0 {
		x.first(ctx, func(e workspace.Entry) bool { return slices.Contains(w.Paths, e.Path) })
	}
	if w.Name != "" {
		name := []byte(w.Name)
		x.first(ctx, func(e workspace.Entry) bool {
			data, _, err := x.o.Workspace.Read(e.Path, x.o.MaxBytes)
			return err == nil && bytes.Contains(data, name)
		})
	}
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	rest := time.NewTimer(max(0, w.Wait-time.Since(began)))
	defer rest.Stop()
	for {
		x.mu.RLock()
		idle := x.todo.idle
		x.mu.RUnlock()
		select {
		case <-idle:
			return x.Status(), nil
		case <-rest.C:
			return x.Status(), nil
		case <-ctx.Done():
			return Status{}, ctx.Err()
		case <-tick.C:
			if w.Progress != nil {
				s := x.Status()
				w.Progress(s.Source-s.Pending, s.Source)
			}
		}
	}
}

// list reads the folder, removes files that are gone, and queues files that changed.
func (x *Index) list(ctx context.Context) error {
	x.listing.Lock()
	defer x.listing.Unlock()
	x.loadOnce()
	files, more, err := x.o.Workspace.Files(ctx)
	if err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	kept := x.setListed(files, more)
	before := len(x.todo.queue)
	queued := make(map[string]int, before)
	for i, q := range x.todo.queue {
		queued[q.Path] = i
	}
	for n, f := range files {
		if r := x.rows[n]; !r.source || r.entry != nil && r.entry.Entry == f {
			continue
		}
		if i, ok := queued[f.Path]; ok {
			x.todo.queue[i] = f
			continue
		}
		x.todo.queue = append(x.todo.queue, f)
	}
	if before > 0 {
		x.todo.queue = slices.DeleteFunc(x.todo.queue, func(q workspace.Entry) bool { return !x.isListed(q.Path) })
	}
	if kept < len(x.entries) {
		for path := range x.entries {
			if !x.isListed(path) {
				delete(x.entries, path)
				x.saver.unsaved++
				x.version++
			}
		}
	}
	// Parse shallow paths first, because they reveal most about a workspace.
	slices.SortStableFunc(x.todo.queue, func(a, b workspace.Entry) int {
		return cmp.Compare(strings.Count(b.Path, "/"), strings.Count(a.Path, "/"))
	})
	x.work()
	if x.todo.workers == 0 && !x.closed {
		x.saveSoon() // some files are gone
	}
	return nil
}

// Status returns how complete the index is.
func (x *Index) Status() Status {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := Status{Files: len(x.listed), More: x.more}
	for i, f := range x.listed {
		if !x.rows[i].source {
			continue
		}
		s.Source++
		e := x.rows[i].entry
		switch {
		case e == nil || e.Entry != f:
			s.Pending++
		case e.Problem != "":
			s.Skipped = append(s.Skipped, Skip{f.Path, e.Problem})
		}
	}
	return s
}

// Entry returns the entry of a file, or nil if there is none.
func (x *Index) Entry(path string) *Entry {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.entries[path]
}

// A Snapshot holds the entries at one moment. Names[i] is the name with the number i.
type Snapshot struct {
	Version uint64
	Entries []*Entry // by path
	Names   []string
	Listed  []workspace.Entry
}

// Snapshot returns the entries of the listed files. The caller must not modify them.
func (x *Index) Snapshot() Snapshot {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := Snapshot{Version: x.version, Names: x.names.list[:len(x.names.list):len(x.names.list)], Listed: x.listed, Entries: make([]*Entry, 0, len(x.entries))}
	for _, r := range x.rows { // sorted by path, like the listed files
		if r.entry != nil {
			s.Entries = append(s.Entries, r.entry)
		}
	}
	return s
}

// ID returns the number of a name.
func (x *Index) ID(name string) (uint32, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.names.number()
	id, ok := x.names.ids[name]
	return id, ok
}

// Version returns a number that changes with each entry.
func (x *Index) Version() uint64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.version
}
