package x11

import (
	"errors"
	"fmt"

	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/x11/wire"
)

// deepest is how far At looks into nested windows.
const deepest = 32

// At returns the window that a click at a point of the screen reaches, and false if only
// the background is there. A menu or another window without a window manager's frame is
// returned with the process that it names. Windows that let clicks through do not count.
// The result may be goated's own: see Own.
func (d *Desktop) At(x, y int) (Window, bool, error) {
	if s := d.Screen(); !s.Contains(x, y) {
		return Window{}, false, fmt.Errorf("%w: the point %d, %d is outside the screen of %d × %d", ErrRefused, x, y, s.W, s.H)
	}
	at, top := d.c.Root, xproto.Window(0)
	for range deepest {
		r, err := xproto.TranslateCoordinates(d.c.X, d.c.Root, at, int16(x), int16(y)).Reply()
		if err != nil {
			return Window{}, false, wire.Gone(err)
		}
		if r.Child == 0 {
			break
		}
		if top == 0 {
			top = r.Child
		}
		at = r.Child
		if r := d.c.Ask(at, "WM_STATE").Reply(); r != nil && r.Type != 0 {
			break // the window of an application
		}
	}
	if top == 0 {
		return Window{}, false, nil
	}
	state := d.c.Ask(at, "WM_STATE").Reply()
	if state == nil || state.Type == 0 {
		at = framed(d.c, top)
	}
	w, err := read(d.c, at)
	if errors.Is(err, ErrNoWindow) {
		return Window{}, false, nil
	}
	return w, err == nil, err
}

// framed returns the window of an application inside a frame; the frame itself if there is
// none. The point of a click may be on the decoration.
func framed(c *wire.Conn, top xproto.Window) xproto.Window {
	level := []xproto.Window{top}
	for range 4 {
		var next []xproto.Window
		for _, w := range level {
			if r := c.Ask(w, "WM_STATE").Reply(); r != nil && r.Type != 0 {
				return w
			}
			if t, err := xproto.QueryTree(c.X, w).Reply(); err == nil {
				next = append(next, t.Children...)
			}
		}
		level = next
	}
	return top
}

// outer returns the frame of a window, or the window without one.
func outer(c *wire.Conn, w xproto.Window) (xproto.Window, error) {
	for range deepest {
		tree, err := xproto.QueryTree(c.X, w).Reply()
		if err != nil {
			return 0, wire.Gone(err)
		}
		if tree.Parent == c.Root || tree.Parent == 0 {
			break
		}
		w = tree.Parent
	}
	return w, nil
}

// frame returns where the frame of a window is on the screen, or the window without one.
func frame(c *wire.Conn, w xproto.Window) (Rect, error) {
	w, err := outer(c, w)
	if err != nil {
		return Rect{}, err
	}
	g, err := xproto.GetGeometry(c.X, xproto.Drawable(w)).Reply()
	if err != nil {
		return Rect{}, wire.Gone(err)
	}
	border := 2 * int(g.BorderWidth)
	return Rect{int(g.X), int(g.Y), int(g.Width) + border, int(g.Height) + border}, nil
}

// Own reports whether a window is goated's.
func (d *Desktop) Own(w Window) bool { return d.own(w) }

// Focused returns the window that receives keys, and false if none does. The result may be
// goated's own: see Own.
func (d *Desktop) Focused() (Window, bool, error) {
	f, err := xproto.GetInputFocus(d.c.X).Reply()
	if err != nil {
		return Window{}, false, wire.Gone(err)
	}
	at := f.Focus
	if at <= 1 { // none, or the window under the pointer
		if at, err = active(d.c); err != nil {
			return Window{}, false, err
		}
	}
	for range deepest { // a program may give the keys to a part of its window
		if at == 0 || at == d.c.Root {
			return Window{}, false, nil
		}
		w, err := ask(d.c, at).read(at)
		if errors.Is(err, ErrNoWindow) {
			return Window{}, false, nil
		}
		if err != nil {
			return Window{}, false, err
		}
		if w.PID != 0 || w.Class != "" {
			return w, true, nil
		}
		tree, err := xproto.QueryTree(d.c.X, at).Reply()
		if err != nil {
			return Window{}, false, nil
		}
		at = tree.Parent
	}
	return Window{}, false, nil
}

// A Layer is a child of the root window, as the screen shows it: a frame with the window
// of an application in it, a menu, a panel.
type Layer struct {
	ID     uint32
	Bounds Rect
	Window Window // the window inside the frame, or the layer itself

	// Shaped says that the layer takes clicks and covers what is below it in the parts
	// Solid only: shadows and round windows let clicks through beside them.
	Shaped bool
	Solid  []Rect

	// Sheer says that what is below shows through the layer, except in the parts Opaque.
	Sheer  bool
	Opaque []Rect
}

// Parts returns where the layer takes clicks.
func (l Layer) Parts() []Rect {
	if l.Shaped {
		return l.Solid
	}
	return []Rect{l.Bounds}
}

// Layers lists what the screen shows, at the bottom first.
func (d *Desktop) Layers() ([]Layer, error) {
	tree, err := xproto.QueryTree(d.c.X, d.c.Root).Reply()
	if err != nil {
		return nil, wire.Gone(err)
	}
	screen := d.Screen() // now: a monitor may have come
	attributes := make([]xproto.GetWindowAttributesCookie, len(tree.Children))
	geometry := make([]xproto.GetGeometryCookie, len(tree.Children))
	outlines := make([]outline, len(tree.Children))
	mixed := composited(d.c)
	sheers := make([]sheer, len(tree.Children))
	for i, w := range tree.Children {
		attributes[i], geometry[i] = xproto.GetWindowAttributes(d.c.X, w), xproto.GetGeometry(d.c.X, xproto.Drawable(w))
		outlines[i] = askOutline(d.c, w)
		if mixed {
			sheers[i] = askSheer(d.c, w)
		}
	}
	var out []Layer
	for i, w := range tree.Children {
		a, err1 := attributes[i].Reply()
		g, err2 := geometry[i].Reply()
		solid, shaped := outlines[i].read(g)
		if err1 != nil || err2 != nil || a.MapState != xproto.MapStateViewable || a.Class != xproto.WindowClassInputOutput {
			continue
		}
		border := 2 * int(g.BorderWidth)
		bounds := Rect{int(g.X), int(g.Y), int(g.Width) + border, int(g.Height) + border}
		if bounds.Intersect(screen).Empty() {
			continue
		}
		inner, err := ask(d.c, framed(d.c, w)).read(0)
		if errors.Is(err, wire.ErrGone) {
			return nil, err
		}
		if err != nil {
			continue
		}
		l := Layer{ID: uint32(w), Bounds: bounds, Window: inner, Shaped: shaped, Solid: solid}
		if mixed {
			l.Sheer, l.Opaque = sheers[i].read(d.c, g, inner)
		}
		out = append(out, l)
	}
	return out, nil
}
