package atspi

import (
	"context"
	"slices"

	"github.com/godbus/dbus/v5"

	"goated/servers/desktop/element"
	"goated/servers/desktop/selector"
)

func variant(v any) dbus.Variant { return dbus.MakeVariant(v) }

// A Query says which elements of a tree are wanted. The zero value wants all.
type Query struct {
	Selector selector.Selector
	Visible  bool          // only what is on the screen
	Window   int           // only elements below this node, with it; 0: of all windows
	Region   *element.Rect // only elements that overlap it; nil: anywhere
}

// Find lists the nodes that match a query, in reading order. It asks the application only for
// the values that decide the match, within the budget. It leaves out elements whose values stay
// unknown, and then sets the tree's Partial.
func (t *Tree) Find(ctx context.Context, q Query) (found []int) {
	var maybe []int
	answers := make([]selector.Answer, len(t.Nodes))
	for i := 1; i < len(t.Nodes); i++ {
		switch {
		case q.Visible && !t.visible(i), q.Window > 0 && !t.below(i, q.Window):
			continue
		}
		e := t.plain(i)
		answers[i] = q.Selector.Match(&e, t.knows(i))
		if answers[i] == selector.Maybe || answers[i] == selector.Yes && q.Region != nil {
			maybe = append(maybe, i)
		}
	}
	needs := q.Selector.Needs()
	if q.Region != nil {
		needs |= element.FieldBounds
	}
	if len(maybe) > 0 && t.Fetch(ctx, maybe, needs) > 0 {
		t.incomplete()
	}
	for i := 1; i < len(t.Nodes); i++ {
		if answers[i] == selector.Maybe {
			e := t.plain(i)
			answers[i] = q.Selector.Match(&e, element.AllFields)
		}
		if answers[i] == selector.Yes && (q.Region == nil || !t.Nodes[i].bounds.Intersect(*q.Region).Empty()) {
			found = append(found, i)
		}
	}
	return found
}

// incomplete notes that parts of elements are missing.
func (t *Tree) incomplete() {
	const s = "Some elements answered too late: their texts or places are missing."
	if !slices.Contains(t.Partial, s) {
		t.Partial = append(t.Partial, s)
	}
}

// knows returns the parts of a node that need no call.
func (t *Tree) knows(i int) element.Fields {
	n := &t.Nodes[i]
	known := n.fetched
	if n.Interfaces&InterfaceComponent == 0 {
		known |= element.FieldBounds
	}
	if !t.content(n) {
		known |= element.FieldText
	}
	if n.Interfaces&InterfaceAction == 0 {
		known |= element.FieldActions
	}
	return known
}

// below reports whether a node is another, or a part of it.
func (t *Tree) below(i, top int) bool {
	for ; i >= top; i = t.Nodes[i].Parent {
		if i == top {
			return true
		}
	}
	return false
}

// Window returns the node of a window: by its title, where several or none have that by its place
// (its frame, or what the application draws), or the only one. GTK gives a dialog without a title a
// name such as "Question". 0: there is none; same is how many have the title.
func (t *Tree) Window(ctx context.Context, title string, places ...element.Rect) (node, same int) {
	var titled []int
	for _, i := range t.Nodes[0].Children {
		if t.Nodes[i].Name == title {
			titled = append(titled, i)
		}
	}
	same = len(titled)
	switch {
	case len(t.Nodes[0].Children) == 1:
		return t.Nodes[0].Children[0], same
	case title == "": // those without a name may be hidden
		titled = t.Nodes[0].Children
	case same == 1:
		return titled[0], 1
	}
	t.Fetch(ctx, titled, element.FieldBounds)
	for _, i := range titled {
		if e := t.Element(i); e.Placed && slices.Contains(places, e.Bounds) {
			if node != 0 {
				return 0, same // one lies exactly on the other
			}
			node = i
		}
	}
	return node, same
}
