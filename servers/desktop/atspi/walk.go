package atspi

import (
	"context"
	"strings"

	"github.com/godbus/dbus/v5"
)

// siblings is how many children of one element a walk reads. Longer lists cost an
// application without a cache seconds, and a reader scrolls them anyway.
const siblings = 400

// A walk reads elements one by one, in a pipeline.
type walk struct {
	b      *Bus
	app    string // its name on the bus
	lazy   bool   // [Tree.Fetch] asks for interfaces, of the elements that it needs
	most   int    // elements
	items  map[Ref]*item
	order  []Ref
	lists  map[Ref][]Ref // the children of elements that were known before
	queue  []request
	cut    int          // children that were left out
	opened map[Ref]bool // elements of showing whose children were asked for
	deep   bool         // the tree is deeper than [depth]
}

// walk reads the elements below roots until ctx ends, breadth first. seen are known
// already. late says that the time was too short, full that the tree has more elements
// than the limit.
func (b *Bus) walk(ctx context.Context, app Application, roots []item, seen map[Ref]bool, most int) (w *walk, late, full bool) {
	w = &walk{b: b, app: app.Root.Bus, lazy: app.Toolkit == chromium, most: most, items: make(map[Ref]*item), lists: make(map[Ref][]Ref), opened: make(map[Ref]bool)}
	w.showing(ctx, roots, seen)
	for _, root := range roots {
		if seen[root.ref] { // only its children are missing
			w.expand(root.ref, 0, seen)
			continue
		}
		w.add(root.ref, root.parent, 0, seen)
	}
	open, _ := ask(ctx, b, w.app, func() (request, bool) {
		if len(w.queue) == 0 {
			return request{}, false
		}
		r := w.queue[0]
		w.queue = w.queue[1:]
		return r, true
	})
	return w, open > 0 || len(w.queue) > 0, len(w.items) >= most
}

// depth is how deep a walk goes: deeper trees are endless.
const depth = 100

// add asks for everything about an element.
func (w *walk) add(r, parent Ref, level int, seen map[Ref]bool) {
	w.deep = w.deep || level > depth && w.items[r] == nil
	if w.items[r] != nil || len(w.items) >= w.most || level > depth {
		return
	}
	it := &item{ref: r, parent: parent, index: -1, count: -1}
	w.items[r] = it
	w.order = append(w.order, r)
	q := w.describe(it)
	if w.lazy { // text of a page, a third of its elements, has no parts: its role says so
		role := q[0].done
		q[0].done = func(body []any) {
			if role(body); it.role != RoleStatic {
				w.expand(r, level, seen)
			}
		}
	}
	w.queue = append(w.queue, q...)
	if !w.lazy {
		w.expand(r, level, seen)
	}
}

// describe asks for the parts of an element that a cache has.
func (w *walk) describe(it *item) []request {
	r := it.ref
	q := []request{
		{r, accessibleIface + ".GetRole", nil, func(body []any) {
			role, _ := first[uint32](body)
			it.role = Role(role)
		}},
		{r, accessibleIface + ".GetState", nil, func(body []any) {
			words, _ := first[[]uint32](body)
			it.states, it.told = statesOf(words), true
		}},
		{r, propertiesIface + ".Get", []any{accessibleIface, "Name"}, func(body []any) {
			v, _ := first[dbus.Variant](body)
			name, _ := v.Value().(string)
			it.name = strings.Clone(name)
		}},
	}
	if w.lazy {
		it.interfaces = interfacesUnknown
		return q
	}
	return append(q, interfaces(r, &it.interfaces))
}

// interfaces asks for the interfaces of an element.
func interfaces(r Ref, f *Interfaces) request {
	return request{r, accessibleIface + ".GetInterfaces", nil, func(body []any) {
		names, _ := first[[]string](body)
		*f = interfacesOf(names)
	}}
}

// expand asks for the children of an element.
func (w *walk) expand(r Ref, level int, seen map[Ref]bool) {
	w.queue = append(w.queue, request{r, accessibleIface + ".GetChildren", nil, func(body []any) {
		pairs, _ := first[[][]any](body)
		refs := refsOf(pairs)
		if len(refs) > siblings {
			w.cut += len(refs) - siblings
			refs = refs[:siblings]
		}
		if it := w.items[r]; it != nil {
			it.children, it.listed = refs, true
		} else {
			w.lists[r] = refs
		}
		for i, c := range refs {
			if c.Bus == r.Bus && !seen[c] { // a plug of another process is another application
				if shown := w.items[c]; shown != nil && !shown.listed && !w.opened[c] {
					w.opened[c] = true // known from showing, but not what is inside it
					w.expand(c, level+1, seen)
				}
				w.add(c, r, level+1, seen)
				if it := w.items[c]; it != nil && it.parent == r {
					it.index = int32(i)
				}
			}
		}
	}})
}
