package graph

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func links(text string) (all []Link) {
	for pair := range strings.FieldsSeq(text) {
		from, to, _ := strings.Cut(pair, ">")
		all = append(all, Link{from, to})
	}
	return all
}

func names(p Picture, nodes []int) (s []string) {
	for _, i := range nodes {
		s = append(s, p.Nodes[i].Path)
	}
	return s
}

// A small workspace is drawn file by file, with importers above the files that they import.
func TestFilesOfASmallWorkspace(t *testing.T) {
	p := New(links("main.go>store/a.go main.go>sync/b.go sync/b.go>store/a.go"), ".", 40)
	if got := fmt.Sprint(names(p, p.order)); got != "[main.go sync/b.go store/a.go]" {
		t.Error(got)
	}
	rows := p.Arrange(5)
	if len(rows) != 3 || p.Nodes[rows[0][0]].Path != "main.go" || p.Nodes[rows[2][0]].Path != "store/a.go" {
		t.Errorf("%v", rows)
	}
	for _, e := range p.Edges {
		if direct := p.Nodes[e.From].Path == "main.go" && p.Nodes[e.To].Path == "store/a.go"; e.Implied != direct || e.Back {
			t.Errorf("%s > %s: %+v", p.Nodes[e.From].Path, p.Nodes[e.To].Path, e)
		}
	}
}

// A large workspace is drawn by folders. The largest folder is divided, and a press opens one.
func TestFoldersOfALargeWorkspace(t *testing.T) {
	var all []Link
	for i := range 40 {
		all = append(all, Link{fmt.Sprintf("cmd/c%d.go", i), fmt.Sprintf("internal/big/x%d/f.go", i%4)}, Link{fmt.Sprintf("internal/big/x%d/f.go", i%4), "internal/low/z.go"},
			Link{"internal/own.go", fmt.Sprintf("internal/big/x%d/f.go", i%4)}, Link{"main.go", "cmd/c1.go"})
	}
	p := New(all, ".", 40)
	got := make(map[string]string)
	for _, n := range p.Nodes {
		got[n.Path] = fmt.Sprint(n.Files, n.Own)
	}
	if fmt.Sprint(got) != "map[.:1 true cmd:40 false internal:1 true internal/big/x0:1 false internal/big/x1:1 false internal/big/x2:1 false internal/big/x3:1 false internal/low:1 false]" {
		t.Errorf("%v", got)
	}
	if p := New(all, ".", 4); len(p.Nodes) != 3 { // there is no room to divide internal
		t.Errorf("%+v", p.Nodes)
	}
	in := New(all, "internal", 40)
	if len(in.Nodes) != 6 || in.Outside != 40 || in.Nodes[0].Folder {
		t.Errorf("%+v, %d from outside", in.Nodes, in.Outside)
	}
}

// A cycle has one line that points back. Its other lines point down.
func TestACycle(t *testing.T) {
	p := New(links("a>b b>c c>a d>a"), ".", 40)
	back := 0
	for _, e := range p.Edges {
		if e.Back {
			back++
		}
	}
	if back != 1 || len(p.Arrange(4)) != 4 {
		t.Errorf("%d lines lead back: %+v", back, p.Edges)
	}
}

// For any imports, each file is in at most one node, each drawn line points down or closes a
// cycle, no row is too long, and the omitted lines follow from the drawn ones.
func TestAnyWorkspace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 1, 4).Draw(t, "folders"), "/") + fmt.Sprintf("/%d.go", rapid.IntRange(0, 9).Draw(t, "file"))
		})
		all := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Link { return Link{name.Draw(t, "from"), name.Draw(t, "to")} }), 0, 120).Draw(t, "links")
		most, columns := rapid.IntRange(4, 40).Draw(t, "most"), rapid.IntRange(1, 6).Draw(t, "columns")
		p := New(all, rapid.SampledFrom([]string{".", "a", "a/b"}).Draw(t, "root"), most)
		rows := p.Arrange(columns)
		row := make(map[int]int)
		for k, r := range rows {
			if len(r) > columns || len(r) == 0 {
				t.Fatalf("row %d has %d boxes of %d", k, len(r), columns)
			}
			for _, i := range r {
				if _, twice := row[i]; twice {
					t.Fatal("a box stands twice")
				}
				row[i] = k
			}
		}
		if len(row) != len(p.Nodes) {
			t.Fatalf("%d boxes of %d", len(row), len(p.Nodes))
		}
		drawn := make(map[int][]int)
		for _, e := range p.Edges {
			if e.Back {
				continue
			}
			if row[e.From] >= row[e.To] {
				t.Fatalf("%+v leads from row %d to %d", e, row[e.From], row[e.To])
			}
			if !e.Implied {
				drawn[e.From] = append(drawn[e.From], e.To)
			}
		}
		for _, e := range p.Edges {
			if !e.Implied {
				continue
			}
			reached, todo := make(map[int]bool), []int{e.From}
			for len(todo) > 0 {
				at := todo[0]
				todo = todo[1:]
				for _, o := range drawn[at] {
					if !reached[o] {
						reached[o] = true
						todo = append(todo, o)
					}
				}
			}
			if !reached[e.To] {
				t.Fatalf("%+v is left out and does not follow", e)
			}
		}
		for _, n := range p.Nodes {
			if n.Files == 0 {
				t.Fatalf("%+v", n)
			}
		}
	})
}
