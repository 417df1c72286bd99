package atspi

import (
	"context"
	"slices"

	"github.com/godbus/dbus/v5"

	"goated/servers/desktop/element"
	"goated/servers/desktop/selector"
)

func variant(v any) dbus.Variant { return dbus.MakeVariant(v) }

// A Query selects elements of a tree. The zero value selects all.
type Query struct {
	Selector selector.Selector
	Visible  bool          // only what is on the screen
	Window   int           // only this node and the elements below it; 0 for all windows
	Region   *element.Rect // only elements that overlap it; nil for no limit
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
		e := t.elementWithoutID(i)
		answers[i] = q.Selector.Match(&e, t.knownFields(i))
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
			e := t.elementWithoutID(i)
			answers[i] = q.Selector.Match(&e, element.AllFields)
		}
		if answers[i] == selector.Yes && (q.Region == nil || !t.Nodes[i].bounds.Intersect(*q.Region).Empty()) {
			found = append(found, i)
		}
	}
	return found
}

// incomplete records in Partial that fields of elements are missing.
func (t *Tree) incomplete() {
	const s = "Some elements answered too late: their texts or places are missing."
	if !slices.Contains(t.Partial, s) {
		t.Partial = append(t.Partial, s)
	}
}

// knownFields returns the fields of a node that are known without a call.
func (t *Tree) knownFields(i int) element.Fields {
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

// below reports whether node i is top or a descendant of it.
func (t *Tree) below(i, top int) bool {
	for ; i >= top; i = t.Nodes[i].Parent {
		if i == top {
			return true
		}
	}
	return false
}

// Window returns the node of a window, or 0 if it finds none. The only window of an application always
// matches. Otherwise Window looks for the title. If several windows have it, their positions decide:
// one has to equal one of places (the window's frame, or the area that the application draws). An empty
// title matches every window, because GTK names an untitled dialog "Question" or the like. same is the
// number of windows with exactly this title.
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
	case title == "": // windows without a name may be hidden
		titled = t.Nodes[0].Children
	case same == 1:
		return titled[0], 1
	}
	t.Fetch(ctx, titled, element.FieldBounds)
	for _, i := range titled {
		if e := t.Element(i); e.Placed && slices.Contains(places, e.Bounds) {
			if node != 0 {
				return 0, same // two windows have exactly the same position
			}
			node = i
		}
	}
	return node, same
}
