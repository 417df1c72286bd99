package view

import "strings"

// A Fact is a member beside the list of a table, for example a total or the token for the next
// page. The name of a nested member is a path such as page.next.
type Fact struct{ Name, Text string }

// The limits for the facts above a table, and for the objects around its list. A value that
// exceeds them is shown as a tree.
const (
	aroundDepth = 4
	aboveFacts  = 6   // an object with more is a record with details, not a page of a list
	aboveBytes  = 200 // the size of one fact
)

// gridOf returns a list of objects as a table. The list may be inside an object, as in {"total":
// 2, "items": […]}. The other members then become facts above the table. It returns nil if there
// is no such list, if there are several, or if a table would lose information.
func gridOf(n Node) *Grid {
	a := gridContext{list: n}
	if n.Kind == ObjectNode && (!a.walk(n, "", 0) || a.lists != 1) {
		return nil
	}
	g, ok := newGrid(a.list)
	if !ok {
		return nil
	}
	g.Above, g.start = a.above, strings.Index(n.text, a.list.text)
	return g
}

// gridContext collects the content of objects: lists of objects, and facts.
type gridContext struct {
	list  Node // the last list
	lists int
	above []Fact
}

// walk collects the members of an object. It returns false if there are too many, or if one is
// too long.
func (a *gridContext) walk(n Node, path string, depth int) bool {
	if depth == aroundDepth || n.Size > gridColumns {
		return false
	}
	for _, m := range n.Children() {
		name := path + m.Name
		switch {
		case m.Kind == ArrayNode && m.Nested() && strings.HasPrefix(strings.TrimLeft(m.text[1:], " \t\r\n"), "{"):
			a.list, a.lists = m, a.lists+1
		case m.Kind == ObjectNode && m.Nested():
			if !a.walk(m, name+".", depth+1) {
				return false
			}
		default:
			a.above = append(a.above, Fact{name, cell(m).Text})
		}
		if n := len(a.above); n > aboveFacts || n > 0 && len(a.above[n-1].Name)+len(a.above[n-1].Text) > aboveBytes {
			return false
		}
	}
	return true
}
