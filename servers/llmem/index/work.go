package index

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"

	"goated/servers/llmem/outline"
	"goated/servers/llmem/workspace"
)

// work starts workers for the queue. The caller holds mu.
func (x *Index) work() {
	if x.closed || len(x.todo.queue) == 0 {
		return
	}
	if x.todo.workers == 0 {
		x.todo.idle = make(chan struct{})
	}
	for x.todo.workers < min(runtime.GOMAXPROCS(0), len(x.todo.queue)) {
		x.todo.workers++
		x.wg.Go(x.worker)
	}
}

// worker parses files until the queue is empty. The last worker makes sure that the cache is saved.
func (x *Index) worker() {
	for {
		x.mu.Lock()
		n := len(x.todo.queue)
		if n == 0 || x.closed {
			x.todo.workers--
			last := x.todo.workers == 0
			if last {
				close(x.todo.idle)
				x.saveSoon()
			}
			x.mu.Unlock()
			return
		}
		f := x.todo.queue[n-1]
		x.todo.queue = x.todo.queue[:n-1]
		x.mu.Unlock()
		x.todo.gate.RLock()
		x.parse(x.ctx, f)
		x.todo.gate.RUnlock()
	}
}

// first parses the matching queued files before all others. It uses this goroutine and one more per
// processor.
func (x *Index) first(ctx context.Context, match func(workspace.Entry) bool) {
	x.mu.RLock()
	todo := slices.Clone(x.todo.queue)
	x.mu.RUnlock()
	if len(todo) == 0 {
		return
	}
	x.todo.gate.Lock()
	defer x.todo.gate.Unlock()
	next := make(chan workspace.Entry)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(todo)) {
		wg.Go(func() {
			for f := range next {
				if match(f) {
					x.parse(ctx, f)
				}
			}
		})
	}
	for _, f := range todo {
		if ctx.Err() != nil {
			break
		}
		next <- f
	}
	close(next)
	wg.Wait()
}

// parse reads one file and stores its entry, unless there is a current one already.
func (x *Index) parse(ctx context.Context, f workspace.Entry) {
	x.mu.RLock()
	have := x.entries[f.Path]
	x.mu.RUnlock()
	if have != nil && have.Entry == f {
		return
	}
	e := &Entry{Entry: f, Language: outline.Language(f.Path, nil)}
	var refs map[string]int
	source, info, err := x.o.Workspace.Read(f.Path, x.o.MaxBytes)
	if err == nil {
		e.Entry, e.Sum = workspace.NewEntry(f.Path, info), sumOf(source)
		e.Young = young(e.Entry)
		var o *outline.File
		if o, err = x.o.Parser.Parse(ctx, f.Path, source); err == nil {
			e.Language, e.Lines, e.Errors, e.Symbols, e.Imports, refs = o.Language, o.Lines, o.Errors, o.Symbols, o.Imports, o.Refs
		}
	}
	switch {
	case ctx.Err() != nil:
		return
	case errors.Is(err, fs.ErrNotExist):
		return // the next list removes it
	case errors.Is(err, workspace.ErrLarge):
		e.Problem = outline.ErrLarge.Error()
	case err != nil:
		e.Problem = err.Error()
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	e.Refs = make([]Ref, 0, len(refs))
	for name, n := range refs {
		e.Refs = append(e.Refs, Ref{x.intern(name), uint32(n)})
	}
	e.Defs = make([]uint32, len(e.Symbols))
	for i := range e.Symbols {
		e.Defs[i] = x.intern(e.Symbols[i].Name)
		e.Symbols[i].Name = x.names.list[e.Defs[i]] // keeps only one copy of each name
	}
	slices.SortFunc(e.Refs, func(a, b Ref) int { return cmp.Compare(a.Name, b.Name) })
	x.put(f.Path, e)
	delete(x.sums, f.Path)
	x.version++
}

// Verify reads files and parses those whose content differs from their entries, even if size and
// time are the same. changed reports whether there were any.
func (x *Index) Verify(ctx context.Context, paths []string) (changed bool, err error) {
	for _, p := range paths {
		x.mu.RLock()
		e := x.entries[p]
		x.mu.RUnlock()
		if e == nil || e.Problem != "" {
			continue
		}
		data, info, err := x.o.Workspace.Read(p, x.o.MaxBytes)
		if err == nil && sumOf(data) == e.Sum {
			continue
		}
		changed = true
		x.mu.Lock()
		if x.entries[p] == e {
			x.put(p, nil)
			x.version++
		}
		x.mu.Unlock()
		if err == nil {
			x.parse(ctx, workspace.NewEntry(p, info))
		}
		if ctx.Err() != nil {
			return changed, ctx.Err()
		}
	}
	if changed {
		return true, x.list(ctx) // sizes and times may also differ
	}
	return false, nil
}

// intern returns the number of a name, and assigns one if necessary. The caller holds mu.
func (x *Index) intern(name string) uint32 {
	x.names.number()
	id, ok := x.names.ids[name]
	if !ok {
		id = uint32(len(x.names.list))
		name = strings.Clone(name)
		x.names.list = append(x.names.list, name)
		x.names.ids[name] = id
	}
	return id
}

// number creates the map from names to numbers.
func (n *names) number() {
	if n.ids != nil {
		return
	}
	n.ids = make(map[string]uint32, len(n.list))
	for i, name := range n.list {
		n.ids[name] = uint32(i)
	}
}
