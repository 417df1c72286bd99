package view

import (
	"bytes"
	"encoding/json"
	"strings"
)

// A Grid is a list of objects as a table. It is lossless: each member has a cell, each cell has
// its whole value, and the original value can be restored. It is immutable.
type Grid struct {
	Columns []Column
	Rows    [][]Cell
	Above   []Fact // the other members of the objects around the list
	list    Node
	start   int    // the offset of the list in the text
	nodes   []Node // the objects in the rows
}

// A Column contains the members with one name.
type Column struct {
	Name    string
	Right   bool // contains only numbers and nulls, so it is aligned right
	Longest string
}

// A Cell is one member of an object. Its text is empty if the object has no such member. A nested
// value is JSON on one line.
type Cell struct {
	Text string
	Kind NodeKind
}

// The limits of a grid. A larger list is shown as a tree.
const (
	gridColumns = 64
	gridRows    = 100_000
)

// newGrid returns n as a table. ok is false if the table would lose information.
func newGrid(n Node) (*Grid, bool) {
	if n.Kind != ArrayNode || n.Size == 0 || n.Size > gridRows {
		return nil, false
	}
	g := &Grid{list: n, nodes: n.Children()}
	place := make(map[string]int)
	for _, object := range g.nodes {
		if object.Kind != ObjectNode || object.Size > gridColumns {
			return nil, false
		}
		row := make([]Cell, len(g.Columns), max(len(g.Columns), object.Size))
		for _, member := range object.Children() {
			at, known := place[member.Name]
			if !known {
				at = len(g.Columns)
				place[member.Name] = at
				g.Columns = append(g.Columns, Column{Name: member.Name, Right: true})
				row = append(row, Cell{})
			}
			if row[at].Text != "" {
				return nil, false // two members with the same name
			}
			row[at] = cell(member)
			c := &g.Columns[at]
			c.Right = c.Right && (member.Kind == NumberNode || member.Kind == NullNode)
			if textWidth(row[at].Text) > textWidth(c.Longest) {
				c.Longest = row[at].Text
			}
		}
		if len(g.Columns) > gridColumns {
			return nil, false
		}
		g.Rows = append(g.Rows, row)
	}
	for i, row := range g.Rows { // earlier rows lack later columns
		g.Rows[i] = append(row, make([]Cell, len(g.Columns)-len(row))...)
	}
	return g, len(g.Columns) > 0
}

// JSON returns the object of a row as the server sent it.
func (g *Grid) JSON(row int) string { return g.nodes[row].text }

// longCell is how many bytes of a cell can affect the width of its column.
const longCell = 200

// textWidth estimates the width of a drawn text.
func textWidth(text string) (n int) {
	text = text[:min(len(text), longCell)] // no column is wider
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

// cell returns the cell for a value. It omits the quotes of a string, unless the string would
// then look like another value or hide characters.
func cell(n Node) Cell {
	c := Cell{Text: n.text, Kind: n.Kind}
	if n.Nested() {
		var b bytes.Buffer
		_ = json.Compact(&b, []byte(n.text)) // known to be valid
		c.Text = b.String()
	}
	if n.Kind != StringNode {
		return c
	}
	plain := unquote(n.text)
	if plain == "" || strings.TrimSpace(plain) != plain || strings.ContainsFunc(plain, isInvisible) || json.Valid([]byte(plain)) {
		return c
	}
	c.Text = plain
	return c
}
