package view

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// A Grid is an array of flat objects as a table. It is made only where nothing
// is lost by it: every member has its cell, every cell shows its value whole,
// and a value can be read back from what its cell shows.
type Grid struct {
	Columns []Column
	Rows    [][]Cell
}

// A Column is the members of one name.
type Column struct {
	Name    string
	Right   bool // numbers only, which stand right
	Width   int  // characters of the longest cell, or of the name
	Longest string
}

// A Cell is one member. Its text is empty if the object has none of the name.
type Cell struct {
	Text string
	Kind NodeKind
}

// What is wider or longer than this is a tree instead.
const (
	gridWidth = 92 // characters of a whole row
	gridRows  = 5000
)

// NewGrid makes a table of n, if it can be one.
func NewGrid(n Node) (*Grid, bool) {
	if n.Kind != ArrayNode || n.Size < 2 || n.Size > gridRows {
		return nil, false
	}
	g := &Grid{}
	place := make(map[string]int)
	for _, object := range n.Children() {
		if object.Kind != ObjectNode || object.Size > gridWidth/4 {
			return nil, false
		}
		row := make([]Cell, len(g.Columns), max(len(g.Columns), object.Size))
		for _, member := range object.Children() {
			if member.Kind == ObjectNode || member.Kind == ArrayNode {
				return nil, false
			}
			at, known := place[member.Name]
			if !known {
				at = len(g.Columns)
				place[member.Name] = at
				g.Columns = append(g.Columns, Column{Name: member.Name, Right: true, Width: utf8.RuneCountInString(member.Name)})
				row = append(row, Cell{})
			}
			if row[at].Text != "" {
				return nil, false // two members of one name
			}
			row[at] = cell(member)
			c := &g.Columns[at]
			c.Right = c.Right && member.Kind == NumberNode
			c.Width = max(c.Width, utf8.RuneCountInString(row[at].Text))
			if breadth(row[at].Text) > breadth(c.Longest) {
				c.Longest = row[at].Text
			}
		}
		if g.width() > gridWidth {
			return nil, false
		}
		g.Rows = append(g.Rows, row)
	}
	for i, row := range g.Rows { // the first did not know all names yet
		g.Rows[i] = append(row, make([]Cell, len(g.Columns)-len(row))...)
	}
	return g, len(g.Columns) > 0
}

// breadth is about how wide a text is drawn, without drawing it.
func breadth(text string) (n int) {
	for _, c := range text {
		switch {
		case strings.ContainsRune("ijltfrI.,:;'|!()[] ", c):
			n += 2
		case strings.ContainsRune("mwMW@%", c), c > 0x1100:
			n += 6
		default:
			n += 4
		}
	}
	return n
}

func (g *Grid) width() int {
	w := 0
	for _, c := range g.Columns {
		w += c.Width + 3
	}
	return w
}

// cell shows a string without quotes, unless it could then be taken for another
// value, or part of it could not be seen.
func cell(n Node) Cell {
	c := Cell{Text: n.text, Kind: n.Kind}
	if n.Kind != StringNode {
		return c
	}
	plain := unquote(n.text)
	if plain == "" || strings.TrimSpace(plain) != plain || strings.ContainsFunc(plain, unseen) || json.Valid([]byte(plain)) {
		return c
	}
	c.Text = plain
	return c
}
