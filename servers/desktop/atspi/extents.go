package atspi

import (
	"context"

	"goated/servers/desktop/element"
)

// The coordinate systems of AT-SPI.
const (
	onScreen = uint32(0)
	inWindow = uint32(1)
)

// locate finds the windows of an application that reports places within them.
func (t *Tree) locate(ctx context.Context) {
	if t.origins != nil || !t.App.windowRelative() {
		return
	}
	t.origins = make(map[int]element.Point)
	if t.bus.opts.Windows == nil {
		return
	}
	windows, err := t.bus.opts.Windows(ctx, t.App.PID)
	if err != nil || len(windows) == 0 {
		return
	}
	var q []request
	for _, top := range t.Nodes[0].Children {
		if w, ok := windowOf(t.Nodes[top].Name, windows); ok {
			q = append(q, request{t.Nodes[top].Ref, componentIface + ".GetExtents", []any{inWindow}, func(body []any) {
				if r, ok := rectOf(body); ok {
					t.origins[top] = originOf(w, r)
				}
			}})
		}
	}
	t.bus.batch(ctx, queue(&q))
}

// originOf returns the place of the origin that an application counts from in a window.
// GTK 4 counts from inside the border that it draws itself: content is the place of the
// window's content as the application sees it.
func originOf(w element.Window, content element.Rect) element.Point {
	inside := w.Client
	if inside.Contains(w.Bounds) {
		inside = w.Bounds // the rest is a shadow
	}
	return element.Point{
		X: inside.X + max(0, inside.Width-content.Width)/2 - content.X,
		Y: inside.Y + max(0, inside.Height-content.Height)/2 - content.Y,
	}
}

// windowOf chooses the window with a title; the only window, if none has it.
func windowOf(title string, windows []element.Window) (found element.Window, ok bool) {
	n := 0
	for _, w := range windows {
		if w.Title == title {
			found = w
			n++
		}
	}
	switch {
	case n == 1:
		return found, true
	case n == 0 && len(windows) == 1:
		return windows[0], true
	}
	return element.Window{}, false // two windows look the same: a click could hit the other
}

// extents asks where a node is.
func (t *Tree) extents(i int) request {
	n, system, origin, ok := &t.Nodes[i], onScreen, element.Point{}, true
	if t.App.windowRelative() {
		system = inWindow
		origin, ok = t.origins[t.top(i)]
	}
	ok = ok && !t.bus.opts.Unplaced
	return request{n.Ref, componentIface + ".GetExtents", []any{system}, func(body []any) {
		if r, has := rectOf(body); has && ok {
			r.X, r.Y = r.X+origin.X, r.Y+origin.Y
			n.bounds = r
		}
	}}
}

// rectOf reads a rectangle of the wire. Elements that are nowhere have a size of 0, or
// the smallest number as their place.
func rectOf(body []any) (r element.Rect, ok bool) {
	v, ok := first[[]any](body)
	if !ok || len(v) != 4 {
		return r, false
	}
	var n [4]float64
	for i := range v {
		x, ok := v[i].(int32)
		if !ok {
			return r, false
		}
		n[i] = float64(x)
	}
	r = element.Rect{X: n[0], Y: n[1], Width: n[2], Height: n[3]}
	return r, !r.Empty() && r.X > -1<<20 && r.Y > -1<<20
}
