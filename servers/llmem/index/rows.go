package index

import (
	"slices"
	"strings"

	"goated/servers/llmem/outline"
	"goated/servers/llmem/workspace"
)

// A row holds the facts that a call needs about each listed file, without a map lookup.
type row struct {
	source bool   // its language has outlines
	entry  *Entry // the same as in entries; may be nil
}

// listedFiles holds the files of the workspace, sorted by path.
type listedFiles struct {
	listed []workspace.Entry
	rows   []row // one row per element of listed
	more   bool  // the workspace has more files
}

// setListed replaces the listed files, and returns how many of them have an entry. The caller holds
// mu.
func (x *Index) setListed(files []workspace.Entry, more bool) (kept int) {
	rows := make([]row, len(files))
	old := 0
	for i, f := range files { // both lists are sorted by path
		for old < len(x.listed) && x.listed[old].Path < f.Path {
			old++
		}
		if old < len(x.listed) && x.listed[old].Path == f.Path {
			rows[i] = x.rows[old]
		} else {
			rows[i] = row{outline.Language(f.Path, nil) != "", x.entries[f.Path]}
		}
		if rows[i].entry != nil {
			kept++
		}
	}
	x.listed, x.rows, x.more = files, rows, more
	return kept
}

// find returns the position of a file in the list. The caller holds mu.
func (x *Index) find(path string) (at int, ok bool) {
	return slices.BinarySearchFunc(x.listed, path, func(f workspace.Entry, path string) int { return strings.Compare(f.Path, path) })
}

// isListed reports whether the workspace contains a file. The caller holds mu.
func (x *Index) isListed(path string) bool {
	_, ok := x.find(path)
	return ok
}

// put sets the entry of a file, or removes it if e is nil. The caller holds mu.
func (x *Index) put(path string, e *Entry) {
	if e == nil {
		delete(x.entries, path)
	} else {
		x.entries[path] = e
	}
	if i, ok := x.find(path); ok {
		x.rows[i].entry = e
	}
	x.saver.unsaved++
}
