package index

import (
	"bytes"
	"slices"
	"sync"
)

// A Graph records which files import which. It keeps resolved imports between calls, as long as the
// workspace has the same files. The zero value is empty. It is safe for concurrent use.
type Graph struct {
	mu       sync.Mutex
	paths    []string // the files for which uses is valid
	goMod    []byte
	resolver *resolver
	uses     map[*Entry][]string
}

// Neighbours returns the files that a file imports and the files that import it. Imports from
// outside the workspace have no file. goMod is the content of the root's go.mod, if there is one.
func (g *Graph) Neighbours(s Snapshot, goMod []byte, path string) (uses, usedBy []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.begin(s, goMod)
	for _, e := range s.Entries {
		found := g.importsOf(e)
		if e.Path == path {
			uses = found
		} else if slices.Contains(found, path) {
			usedBy = append(usedBy, e.Path)
		}
	}
	return uses, usedBy
}

// Packages returns a file's imports that lead to no file of the workspace, such as the standard
// library, in the order of the file.
func (g *Graph) Packages(s Snapshot, goMod []byte, path string) (out []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.begin(s, goMod)
	for _, e := range s.Entries {
		if e.Path != path {
			continue
		}
		for _, i := range e.Imports {
			if i.Source != "" && !slices.Contains(out, i.Source) && len(g.resolver.resolve(e, i)) == 0 {
				out = append(out, i.Source)
			}
		}
	}
	return out
}

// Each calls f for each file that imports others, ordered by path. f must not modify the slice.
func (g *Graph) Each(s Snapshot, goMod []byte, f func(from string, to []string)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.begin(s, goMod)
	for _, e := range s.Entries {
		if to := g.importsOf(e); len(to) > 0 {
			f(e.Path, to)
		}
	}
}

// begin discards everything that is only valid for other files.
func (g *Graph) begin(s Snapshot, goMod []byte) {
	same := g.resolver != nil && len(g.paths) == len(s.Listed) && bytes.Equal(g.goMod, goMod)
	for i := 0; same && i < len(g.paths); i++ {
		same = g.paths[i] == s.Listed[i].Path
	}
	if !same {
		g.paths = make([]string, len(s.Listed))
		for i, f := range s.Listed {
			g.paths[i] = f.Path
		}
		g.goMod, g.resolver, g.uses = goMod, newResolver(s, goMod), make(map[*Entry][]string)
	}
	if len(g.uses) > 2*len(s.Entries)+100 { // most of them belong to entries that are gone
		clear(g.uses)
	}
}

// importsOf returns the files that a file imports.
func (g *Graph) importsOf(e *Entry) []string {
	if len(e.Imports) == 0 {
		return nil
	}
	found, ok := g.uses[e]
	if !ok {
		found = g.resolver.imports(e)
		g.uses[e] = found
	}
	return found
}
