package atspi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"goated/servers/desktop/element"
)

// A Tree is the user interface of an application at one moment. It is not safe for
// concurrent use.
type Tree struct {
	App Application
	// Nodes are the elements in reading order. The first is the application.
	Nodes []Node
	// Partial explains in sentences why elements are missing. It is empty if none are.
	Partial []string
	// Took is how long the snapshot took.
	Took time.Duration

	late       bool // the application did not report all of its present state in time
	slow       bool // the application did not answer everything that Fetch asked in time
	old        bool // this is an earlier state, from a late fetch
	bus        *Bus
	transforms map[int]transform // of windows, by node; nil if locate has not run
}

// A Node is an element of a [Tree]. Its bounds, text, attributes and actions are known only after
// [Tree.Fetch].
type Node struct {
	Ref        Ref
	Role       Role
	Name       string
	States     States
	Interfaces Interfaces
	Parent     int // the index in Nodes; -1 for the application
	Children   []int
	Index      int32 // among its siblings
	Secure     bool  // a password field, or a part of one
	derived    bool  // Name comes from the labels inside the element

	bounds     element.Rect
	text       string
	attributes map[string]string
	actions    []string
	fetched    element.Fields
}

// Snapshot reads the tree of an application within the budget. If the tree is too large, endless or
// slow, the result is incomplete and its Partial is set. If the application exposes no elements, the
// error is a [NoTreeError].
func (b *Bus) Snapshot(ctx context.Context, a Application) (*Tree, error) {
	if b.opts.Own != nil && b.opts.Own(a.PID) {
		return nil, ErrOwn
	}
	if err := b.allowed(a.Root.Bus); err != nil {
		return nil, err
	}
	begin := time.Now()
	whole := ctx
	// A third of the budget remains for the positions of the elements.
	ctx, cancel := context.WithTimeout(ctx, b.opts.Budget*2/3)
	defer cancel()
	t := &Tree{App: a, bus: b}
	half, cancel := context.WithTimeout(ctx, b.opts.Budget/3)
	defer cancel()
	items, age, ok, err := b.items(half, a.Root.Bus)
	if whole.Err() != nil {
		return nil, whole.Err()
	}
	if err := b.endError(err); err != nil {
		return nil, err
	}
	switch {
	case age > 0:
		t.late, t.old = true, true
		t.Partial = append(t.Partial, fmt.Sprintf("%s answers slowly: this is its tree of %v ago.", a.Name, age.Round(100*time.Millisecond)))
	default:
		items = t.complete(ctx, items)
		if !ok && len(items) > 1 {
			t.Partial = append(t.Partial, fmt.Sprintf("%s needs longer than %v for its tree: this is its beginning. Ask again in a second for the whole.", a.Name, b.opts.Budget))
		}
	}
	if len(items) > b.opts.Nodes {
		t.Partial = append(t.Partial, fmt.Sprintf("%s has %d elements; only %d are listed.", a.Name, len(items), b.opts.Nodes))
		items = items[:b.opts.Nodes]
	}
	t.build(items)
	t.label()
	t.Took = time.Since(begin)
	if len(t.Nodes) <= 1 && ctx.Err() != nil {
		t.Partial = []string{fmt.Sprintf("%s did not answer within %v: it hangs, or is busy. Try again, or take a screenshot.", a.Name, b.opts.Budget.Round(time.Millisecond))}
		t.App.Hung, t.late = true, true
		return t, nil
	}
	if len(t.Nodes) <= 1 {
		return nil, &NoTreeError{a.Name, "it is connected to the accessibility bus, but its tree is empty", b.opts.Unplaced}
	}
	return t, nil
}

// endError returns an error if the application or the bus has ended. It ignores other errors, because an
// application may have no cache.
func (b *Bus) endError(err error) error {
	var g *GoneError
	if err == nil {
		return nil
	}
	err = b.convertError(context.Background(), "", err)
	if errors.As(err, &g) && g.What == goneApplication || b.conn.Context().Err() != nil {
		return err
	}
	return nil // an application without a cache
}

// complete adds the elements that are missing from the cache. It reads them by a walk.
func (t *Tree) complete(ctx context.Context, items []item) []item {
	b := t.bus
	seen := make(map[Ref]bool, len(items))
	has := make(map[Ref]int32, len(items))
	unordered := make(map[Ref]bool) // GTK 3 does not report the index of some children
	for _, it := range items {
		seen[it.ref] = true
		has[it.parent]++
		unordered[it.parent] = unordered[it.parent] || it.index < 0
	}
	var roots []item
	if !seen[t.App.Root] {
		roots = append(roots, item{ref: t.App.Root})
	}
	for _, it := range items {
		lacks := it.count - has[it.ref]
		shown := it.states.Has(StateShowing) || t.App.windowRelative() && it.states.Has(StateVisible)
		switch {
		case it.listed:
		case shown && unordered[it.ref]:
			roots = append(roots, it)
		case it.count < 0 || lacks <= 0:
		case it.count > siblings || it.states.Has(StateManagesDescendants) && it.count > 64:
			t.Partial = append(t.Partial, fmt.Sprintf("The %s %q has %d parts; %d are listed. Scroll, or search in the application.", it.role, it.name, it.count, has[it.ref]))
		case shown:
			roots = append(roots, it)
		}
	}
	if len(roots) == 0 {
		return items
	}
	w, late, full := b.walk(ctx, t.App, roots, seen, b.opts.Nodes-len(items))
	items = slices.Clone(items) // other snapshots share the slice from the cache
	for i := range items {
		if refs, ok := w.lists[items[i].ref]; ok {
			items[i].children, items[i].listed = refs, true
		}
	}
	for _, r := range w.order {
		if it := w.items[r]; it.told || r == t.App.Root { // otherwise it would look disabled and have no role
			items = append(items, *it)
		}
	}
	if late {
		t.late = true
		t.Partial = append(t.Partial, fmt.Sprintf("%s answers slowly: only the elements that it reported within %v are listed.", t.App.Name, b.opts.Budget.Round(time.Millisecond)))
	}
	if full {
		t.Partial = append(t.Partial, fmt.Sprintf("The tree of %s does not end: the first %d elements are listed.", t.App.Name, b.opts.Nodes))
	}
	if w.deep {
		t.Partial = append(t.Partial, fmt.Sprintf("The tree of %s is deeper than %d elements; the rest is not listed.", t.App.Name, depth))
	}
	if w.cut > 0 {
		t.Partial = append(t.Partial, fmt.Sprintf("Long lists are cut: %d of their parts are not listed. Scroll, or search in the application.", w.cut))
	}
	return items
}

// build puts the items into reading order. It omits items that no path from the application reaches,
// and does not follow cycles.
func (t *Tree) build(items []item) {
	byRef := make(map[Ref]int, len(items))
	below := make(map[Ref][]int, len(items))
	for i, it := range items {
		if _, twice := byRef[it.ref]; !twice {
			byRef[it.ref] = i
			below[it.parent] = append(below[it.parent], i)
		}
	}
	for _, list := range below {
		slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(items[a].index, items[b].index) })
	}
	root, ok := byRef[t.App.Root]
	if !ok {
		t.Nodes = []Node{{Ref: t.App.Root, Role: RoleApplication, Name: t.App.Name, Parent: -1}}
		return
	}
	used := make([]bool, len(items))
	t.Nodes = make([]Node, 0, len(items))
	type step struct{ item, parent, place int }
	stack := []step{{root, -1, 0}}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if used[s.item] {
			continue
		}
		used[s.item] = true
		it, at := &items[s.item], len(t.Nodes)
		n := Node{Ref: it.ref, Role: it.role, Name: cleanName(it.name, t.App.windowRelative()), States: it.states, Interfaces: it.interfaces, Parent: s.parent, Index: int32(s.place), Secure: it.role == RolePasswordText}
		if s.parent >= 0 {
			n.Secure = n.Secure || t.Nodes[s.parent].Secure
			t.Nodes[s.parent].Children = append(t.Nodes[s.parent].Children, at)
		}
		t.Nodes = append(t.Nodes, n)
		children := below[it.ref]
		if it.listed {
			children = children[:0:0]
			for _, c := range it.children {
				if i, ok := byRef[c]; ok {
					children = append(children, i)
				}
			}
		}
		for i, c := range slices.Backward(children) {
			stack = append(stack, step{c, at, i})
		}
	}
}

// top returns the window node of a node, or 0 if the node is the application itself.
func (t *Tree) top(i int) int {
	for t.Nodes[i].Parent > 0 {
		i = t.Nodes[i].Parent
	}
	return i
}

// Path returns the child indices that lead from the application to a node.
func (t *Tree) Path(i int) (path []int32) {
	for ; i > 0; i = t.Nodes[i].Parent {
		path = append(path, t.Nodes[i].Index)
	}
	slices.Reverse(path)
	return path
}
