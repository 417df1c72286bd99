package atspi

import (
	"context"
	"math"

	"goated/servers/desktop/element"
)

// The coordinate systems of AT-SPI.
const (
	onScreen = uint32(0)
	inWindow = uint32(1)
)

// A transform converts positions that an application reports to screen positions.
type transform struct {
	zoom   float64 // screen pixels per application pixel
	origin element.Point
}

func (t transform) rect(r element.Rect) element.Rect {
	return element.Rect{X: t.origin.X + t.zoom*r.X, Y: t.origin.Y + t.zoom*r.Y, Width: t.zoom * r.Width, Height: t.zoom * r.Height}
}

// locate computes the transform of each window of the application from the window's position and size. It
// returns how many answers did not arrive in time.
func (t *Tree) locate(ctx context.Context) (late int) {
	if t.transforms != nil {
		return 0
	}
	t.transforms = make(map[int]transform)
	if t.bus.opts.Windows == nil || t.bus.opts.Unplaced || len(t.Nodes) == 0 {
		return 0
	}
	windows, err := t.bus.opts.Windows(ctx, t.App.PID)
	if err != nil || len(windows) == 0 {
		return 0
	}
	system := onScreen
	if t.App.windowRelative() {
		system = inWindow
	}
	var q []request
	for _, top := range t.Nodes[0].Children {
		if w, ok := windowOf(t.Nodes[top].Name, windows); ok {
			q = append(q, request{t.Nodes[top].Ref, componentIface + ".GetExtents", []any{system}, func(body []any) {
				if r, ok := rectOf(body); ok {
					t.transforms[top] = transformOf(t.App.windowRelative(), w, r)
				}
			}})
		}
	}
	late, _ = t.bus.batch(ctx, queue(&q))
	if !t.App.windowRelative() {
		keepZoom(t)
	}
	return late
}

// keepZoom stores the zoom of an application. The same zoom applies to its menus and tooltips, which
// are not among its windows.
func keepZoom(t *Tree) {
	z := 0.0
	for _, l := range t.transforms {
		z = max(z, l.zoom)
	}
	t.bus.mu.Lock()
	defer t.bus.mu.Unlock()
	if a := t.bus.apps[t.App.Root.Bus]; a != nil && z > 0 {
		a.zoom = z
	}
}

// inPage reports whether an element belongs to a web page in Chromium. Such elements report screen
// positions, even if the browser's own user interface is scaled.
func (t *Tree) inPage(i int) bool {
	if t.App.Toolkit != "Chromium" {
		return false
	}
	for ; i > 0; i = t.Nodes[i].Parent {
		if t.Nodes[i].Role == RoleDocumentWeb {
			return true
		}
	}
	return false
}

// appTransform returns a transform with the known zoom of an application, or with a zoom of 1 for a page in it.
func appTransform(b *Bus, bus string, page bool) transform {
	b.mu.Lock()
	defer b.mu.Unlock()
	if a := b.apps[bus]; a != nil && a.zoom > 0 && !page {
		return transform{zoom: a.zoom}
	}
	return transform{zoom: 1}
}

// transformOf compares a window with the frame that its application reports for it. If relative, frame is
// the window's content in the coordinates of the application: GTK 4 measures from inside the border
// that it draws itself.
func transformOf(relative bool, w element.Window, frame element.Rect) transform {
	if !relative {
		for _, r := range []element.Rect{w.Bounds, w.Client} {
			// The position distinguishes a scaled window from one that is just being enlarged.
			if z := zoom(r, frame, 2); z > 1 && math.Abs(r.X-z*frame.X) <= 2*z && math.Abs(r.Y-z*frame.Y) <= 2*z {
				return transform{zoom: z}
			}
		}
		return transform{zoom: 1}
	}
	inside := w.Client
	if inside.Contains(w.Bounds) {
		inside = w.Bounds // the rest is a shadow
	}
	z := zoom(inside, frame, 8)
	return transform{z, element.Point{
		X: inside.X + max(0, inside.Width-z*frame.Width)/2 - z*frame.X,
		Y: inside.Y + max(0, inside.Height-z*frame.Height)/2 - z*frame.Y,
	}}
}

// zoom returns how many times larger a window is than its application reports, apart from a border. It
// returns 1 if width and height disagree. GTK and Qt measure in their own pixels. GDK_SCALE,
// QT_SCALE_FACTOR and the desktop settings make these larger than screen pixels.
func zoom(window, frame element.Rect, border float64) float64 {
	const most, parts = 8, 12 // of a pixel, so that quarters and thirds are exact
	z := math.Round(window.Width/frame.Width*parts) / parts
	if z <= 1 || z > most || math.Abs(window.Width-z*frame.Width) > border*z || math.Abs(window.Height-z*frame.Height) > border*z {
		return 1
	}
	return z
}

// windowOf returns the only window with a title. If no window has the title, it returns the only
// window.
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
	return element.Window{}, false // two windows look the same, so a click could hit the wrong one
}

// extents returns a request for the position and size of a node.
func (t *Tree) extents(i int) request {
	n, system, ok := &t.Nodes[i], onScreen, true
	l := appTransform(t.bus, t.App.Root.Bus, t.inPage(i))
	if t.App.windowRelative() {
		system = inWindow
		l, ok = t.transforms[t.top(i)]
	}
	ok = ok && !t.bus.opts.Unplaced
	return request{n.Ref, componentIface + ".GetExtents", []any{system}, func(body []any) {
		if r, has := rectOf(body); has && ok {
			n.bounds = l.rect(r)
		}
	}}
}

// rectOf decodes a rectangle from a reply. An element without a position has size 0, or the smallest
// number as its position.
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
