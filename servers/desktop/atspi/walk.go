package atspi

import (
	"context"
	"strings"

	"github.com/godbus/dbus/v5"
)

// siblings limits how many children of one element a walk reads. A longer list takes an application
// without a cache seconds, and a reader scrolls it anyway.
const siblings = 400

// A walk reads elements one by one, in a pipeline.
type walk struct {
	b      *Bus
	app    string // the application's name on the bus
	lazy   bool   // leave the interfaces to [Tree.Fetch], which asks for those that it needs
	most   int    // the most elements to read
	items  map[Ref]*item
	order  []Ref
	lists  map[Ref][]Ref // the children of elements that the cache contains
	queue  []request
	cut    int          // how many children were left out
	opened map[Ref]bool // elements found by showing whose children were requested
	deep   bool         // the tree is deeper than [depth]
}

// walk reads the elements below roots breadth first until ctx ends. It skips the elements in seen. late
// reports that the time was too short, full that the tree reached the limit of most elements.
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

// depth limits how deep a walk goes. A deeper tree is probably endless.
const depth = 100

// add requests everything about an element.
func (w *walk) add(r, parent Ref, level int, seen map[Ref]bool) {
	w.deep = w.deep || level > depth && w.items[r] == nil
	if w.items[r] != nil || len(w.items) >= w.most || level > depth {
		return
	}
	it := &item{ref: r, parent: parent, index: -1, count: -1}
	w.items[r] = it
	w.order = append(w.order, r)
	q := w.describe(it)
	if w.lazy { // static text, a third of a page, has no children: its role is enough
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

// describe returns requests for the fields that a cache also contains.
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

// interfaces returns a request for the interfaces of an element.
func interfaces(r Ref, f *Interfaces) request {
	return request{r, accessibleIface + ".GetInterfaces", nil, func(body []any) {
		names, _ := first[[]string](body)
		*f = interfacesOf(names)
	}}
}

// expand requests the children of an element.
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
			if c.Bus == r.Bus && !seen[c] { // a child from another process belongs to another application
				if shown := w.items[c]; shown != nil && !shown.listed && !w.opened[c] {
					w.opened[c] = true // showing found it, but its children are unknown
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
