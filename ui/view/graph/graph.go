// Package graph draws the imports of a workspace as a picture that a person can read. It joins
// files into folders until there are few enough nodes, places importers above the files that they
// import, and omits lines that follow from others.
//
// It has no side effects. It must not depend on Fyne, or on how imports are found.
package graph

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// A Link means that the file From imports the file To.
type Link struct{ From, To string }

// A Node is a file, a folder with all its content, or the files of a folder without its
// subfolders.
type Node struct {
	Path   string // "." is the root of the workspace
	Folder bool
	Own    bool // contains only the files directly in the folder
	Files  int  // the number of files that import or are imported
	Uses   []int
	UsedBy []int
}

// An Edge means that the node From imports To.
type Edge struct {
	From, To int
	Links    int  // the number of imports between files
	Back     bool // it closes a cycle
	Implied  bool // a longer path leads there too
}

// A Picture contains the nodes of a folder and the edges between them.
type Picture struct {
	Nodes   []Node
	Edges   []Edge
	Left    int // the number of files for which there is no room
	Outside int // the number of links into or out of the folder
	order   []int
}

// maxFiles is how many files a picture shows individually.
const maxFiles = 28

// New returns the picture of the folder root with about most nodes. The root "." includes all
// files.
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

// A group is a node together with its files.
type group struct {
	path   string
	folder bool
	own    bool
	files  []string
}

// fold groups files by folder. It divides a large folder as long as there is room.
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

// divide returns the subfolders of a folder, and the files directly in it as one group. It
// returns nil if there are no subfolders.
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

// connect creates the edges.
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
