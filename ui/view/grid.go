package view

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// A Grid is an array of flat objects as a table. It loses nothing: every member has
// a cell, every cell shows its whole value, and the value can be read back.
type Grid struct {
	Columns []Column
	Rows    [][]Cell
}

// A Column holds the members of one name.
type Column struct {
	Name    string
	Right   bool // only numbers: align right
	Width   int  // in characters, of the longest cell or the name
	Longest string
}

// A Cell is one member. Its text is empty if the object has no such member.
type Cell struct {
	Text string
	Kind NodeKind
}

// The limits of a grid. A larger array is shown as a tree.
const (
	gridWidth = 92 // characters of a whole row
	gridRows  = 5000
)

// NewGrid returns n as a table. ok is false if a table would lose something.
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
	for i, row := range g.Rows { // earlier rows lack later columns
		g.Rows[i] = append(row, make([]Cell, len(g.Columns)-len(row))...)
	}
	return g, len(g.Columns) > 0
}

// breadth estimates the width of a text when drawn.
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

// cell shows a string without quotes, unless it would then read as another value or
// hide characters.
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
