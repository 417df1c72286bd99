// Package graph draws the imports of a workspace as a picture that a person can read: it
// joins files to folders until few enough are left, puts what imports above what it imports,
// and leaves out lines that follow from others.
//
// It is pure. It must not know of Fyne, nor how imports are found.
package graph

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// A Link says that the file From imports the file To.
type Link struct{ From, To string }

// A Node is a file, a folder with everything in it, or the files of a folder without its
// subfolders.
type Node struct {
	Path   string // "." is the root of the workspace
	Folder bool
	Own    bool // only the folder's own files
	Files  int  // with imports, in either direction
	Uses   []int
	UsedBy []int
}

// An Edge says that the node From imports To.
type Edge struct {
	From, To int
	Links    int  // of files
	Back     bool // it closes a cycle
	Implied  bool // a longer way leads there, too
}

// A Picture is the nodes of a folder and the edges between them.
type Picture struct {
	Nodes   []Node
	Edges   []Edge
	Left    int // files that have no room
	Outside int // links that leave the folder or come from outside
	order   []int
}

// maxFiles is how many files a picture shows one by one.
const maxFiles = 28

// New makes the picture of the folder root, which is "." for all, with about most nodes.
func New(links []Link, root string, most int) Picture {
	var p Picture
	inside := func(f string) bool { return root == "." || strings.HasPrefix(f, root+"/") }
	degree := make(map[string]int)
	kept := make([]Link, 0, len(links))
	for _, l := range links {
		switch a, b := inside(l.From), inside(l.To); {
		case a && b:
			kept = append(kept, l)
			degree[l.From]++
			degree[l.To]++
		case a != b:
			p.Outside++
		}
	}
	files := make([]string, 0, len(degree))
	for f := range degree {
		files = append(files, f)
	}
	slices.Sort(files)
	groups := fold(files, root, most)
	if len(groups) > most && !slices.ContainsFunc(groups, func(g group) bool { return g.folder }) {
		slices.SortStableFunc(groups, func(a, b group) int { return degree[b.path] - degree[a.path] })
		p.Left = len(groups) - most
		groups = groups[:most]
		slices.SortFunc(groups, func(a, b group) int { return strings.Compare(a.path, b.path) })
	}
	of := make(map[string]int, len(files))
	for i, g := range groups {
		p.Nodes = append(p.Nodes, Node{Path: g.path, Folder: g.folder, Own: g.own, Files: len(g.files)})
		for _, f := range g.files {
			of[f] = i
		}
	}
	p.connect(kept, of)
	p.sequence()
	p.reduce()
	return p
}

// A group is a node with its files.
type group struct {
	path   string
	folder bool
	own    bool
	files  []string
}

// fold joins files to folders. A large folder is divided as long as there is room.
func fold(files []string, root string, most int) []group {
	if len(files) <= maxFiles {
		return singles(files)
	}
	groups := divide(group{path: root, folder: true, files: files})
	if len(groups) == 1 && !groups[0].folder || groups == nil {
		return singles(files)
	}
	closed := make(map[string]bool)
	for {
		at := -1
		for i, g := range groups {
			if g.folder && !g.own && !closed[g.path] && (at < 0 || len(g.files) > len(groups[at].files)) {
				at = i
			}
		}
		if at < 0 {
			break
		}
		parts := divide(groups[at])
		if parts == nil || len(groups)-1+len(parts) > most {
			closed[groups[at].path] = true
			continue
		}
		groups = append(slices.Delete(groups, at, at+1), parts...)
	}
	slices.SortFunc(groups, func(a, b group) int { return cmp.Or(strings.Compare(a.path, b.path), len(a.files)-len(b.files)) })
	return groups
}

func singles(files []string) (groups []group) {
	for _, f := range files {
		groups = append(groups, group{path: f, files: []string{f}})
	}
	return groups
}

// divide returns the folders in a folder, and its own files as one group; nil if it holds no
// folders.
func divide(g group) (parts []group) {
	at := make(map[string]int)
	folders := 0
	for _, f := range g.files {
		rest := f
		if g.path != "." {
			rest = strings.TrimPrefix(f, g.path+"/")
		}
		part := group{path: g.path, folder: true, own: true}
		if head, _, ok := strings.Cut(rest, "/"); ok {
			part = group{path: path.Join(g.path, head), folder: true}
		}
		i, ok := at[part.path]
		if !ok {
			i = len(parts)
			at[part.path] = i
			parts = append(parts, part)
			if !part.own {
				folders++
			}
		}
		parts[i].files = append(parts[i].files, f)
	}
	if folders == 0 {
		return nil
	}
	return parts
}

// connect makes the edges.
func (p *Picture) connect(links []Link, of map[string]int) {
	at := make(map[[2]int]int)
	for _, l := range links {
		a, known := of[l.From]
		b, too := of[l.To]
		if !known || !too || a == b {
			continue
		}
		i, ok := at[[2]int{a, b}]
		if !ok {
			i = len(p.Edges)
			at[[2]int{a, b}] = i
			p.Edges = append(p.Edges, Edge{From: a, To: b})
			p.Nodes[a].Uses = append(p.Nodes[a].Uses, b)
			p.Nodes[b].UsedBy = append(p.Nodes[b].UsedBy, a)
		}
		p.Edges[i].Links++
	}
}
