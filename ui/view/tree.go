package view

import (
	"fmt"
	"slices"
	"strings"

	"goated/ui/view/format"
)

// A Tree is a JSON object or array with folded parts. Rows are the visible rows. A Tree is not
// safe for concurrent use.
type Tree struct {
	Rows []Row
	root Node
}

// A Row is one visible value of a tree.
type Row struct {
	Node
	Depth int
	Open  bool
	Align int // the width of the names in the same group, in characters, used to align the values
}

// startRows limits how many rows a new tree shows.
const startRows = 18

// maxRows limits how many rows OpenAll opens. The user can open the others.
const maxRows = 100_000

// NewTree returns a tree of root. It opens whole levels while there are at most startRows rows.
func NewTree(root Node) *Tree {
	t := &Tree{root: root}
	t.FoldAll()
	for depth := 0; ; depth++ {
		more, any := len(t.Rows), false
		for _, r := range t.Rows {
			if r.Depth == depth && r.Nested() {
				more, any = more+r.Size, true
			}
		}
		if !any || more > startRows {
			return t
		}
		for i := len(t.Rows) - 1; i >= 0; i-- {
			if t.Rows[i].Depth == depth && t.Rows[i].Nested() {
				t.Toggle(i)
			}
		}
	}
}

// Toggle opens or folds row i.
func (t *Tree) Toggle(i int) {
	row := t.Rows[i]
	if !row.Nested() {
		return
	}
	t.Rows[i].Open = !row.Open
	if !row.Open {
		t.Rows = slices.Insert(t.Rows, i+1, rowsOf(row.Node, row.Depth+1)...)
		return
	}
	end := i + 1
	for end < len(t.Rows) && t.Rows[end].Depth > row.Depth {
		end++
	}
	t.Rows = slices.Delete(t.Rows, i+1, end)
}

// FoldAll shows only the outermost values.
func (t *Tree) FoldAll() { t.Rows = rowsOf(t.root, 0) }

// OpenAll opens all rows, up to 100,000.
func (t *Tree) OpenAll() { t.Rows = t.All() }

// All returns the rows of the fully opened tree, without changing the tree. It is slow for a
// large tree.
func (t *Tree) All() []Row {
	var rows []Row
	var walk func(n Node, depth int)
	walk = func(n Node, depth int) {
		for _, c := range rowsOf(n, depth) {
			open := c.Nested() && len(rows) < maxRows
			c.Open = open
			rows = append(rows, c)
			if open {
				walk(c.Node, depth+1)
			}
		}
	}
	walk(t.root, 0)
	return rows
}

// Opened reports whether any row is open.
func (t *Tree) Opened() bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Open })
}

// Folded reports whether any row can be opened.
func (t *Tree) Folded() bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Nested() && !r.Open })
}

// maxAlign limits the length of names that affect Align.
const maxAlign = 20

func rowsOf(n Node, depth int) []Row {
	children := n.Children()
	rows := make([]Row, len(children))
	align := 0
	for i, c := range children {
		rows[i] = Row{Node: c, Depth: depth}
		if n := len(c.Name); !c.Nested() && n <= maxAlign {
			align = max(align, n)
		}
	}
	for i := range rows {
		rows[i].Align = align
	}
	return rows
}

// Parent returns the row that contains row i, or -1 if that is the root.
func (t *Tree) Parent(i int) int {
	for p := i - 1; p >= 0; p-- {
		if t.Rows[p].Depth < t.Rows[i].Depth {
			return p
		}
	}
	return -1
}

// Path returns the JSONPath of row i.
func (t *Tree) Path(i int) string {
	var steps []string
	for ; i >= 0; i = t.Parent(i) {
		steps = append(steps, t.Rows[i].step())
	}
	slices.Reverse(steps)
	return "$" + strings.Join(steps, "")
}

func (r Row) step() string {
	if r.Index >= 0 {
		return fmt.Sprintf("[%d]", r.Index)
	}
	for i, c := range r.Name {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return "[" + quote(r.Name) + "]"
		}
	}
	if r.Name == "" {
		return `[""]`
	}
	return "." + r.Name
}

func quote(s string) string { return FormatJSON(s) }

// Label returns the name or the index of a row.
func (r Row) Label() string {
	if r.Index >= 0 {
		return fmt.Sprint(r.Index)
	}
	if r.Name == "" || strings.TrimSpace(r.Name) != r.Name || strings.ContainsFunc(r.Name, isInvisible) {
		return quote(r.Name)
	}
	return r.Name
}

// Text returns the value of a row as JSON. For a non-empty object or array, it returns the number
// of children, because the children have their own rows.
func (r Row) Text() string {
	switch {
	case r.Nested() && r.Kind == ArrayNode:
		return "[" + format.Plural(r.Size, "%[2]s element", "%[2]s elements", format.Count(r.Size)) + "]"
	case r.Nested():
		return "{" + format.Plural(r.Size, "%[2]s member", "%[2]s members", format.Count(r.Size)) + "}"
	case r.Size == 0 && (r.Kind == ArrayNode || r.Kind == ObjectNode):
		return r.text[:1] + r.text[len(r.text)-1:]
	}
	return r.text
}

// isInvisible reports whether a character is invisible or ambiguous on the screen.
func isInvisible(c rune) bool { return c < ' ' || c == 0x7F || c == '\uFFFD' }
