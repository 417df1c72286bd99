package x11

import (
	"errors"
	"fmt"

	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/x11/wire"
)

// deepest limits how many levels of nested windows At searches.
const deepest = 32

// At returns the window that a click at a point of the screen reaches, or false if there is only the
// background. For a menu, or another window without a frame, it returns the window itself. It ignores
// windows that let clicks through. The result may belong to goated: see Own.
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
		at = insideFrame(d.c, top)
	}
	w, err := read(d.c, at)
	if errors.Is(err, ErrNoWindow) {
		return Window{}, false, nil
	}
	return w, err == nil, err
}

// insideFrame returns the application's window inside a frame, or the frame itself if there is none. A click
// may hit the decoration of a frame.
func insideFrame(c *wire.Conn, top xproto.Window) xproto.Window {
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

// frameOf returns the frame of a window, or the window itself if it has no frame.
func frameOf(c *wire.Conn, w xproto.Window) (xproto.Window, error) {
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

// frame returns the screen position of a window's frame, or of the window itself if it has no frame.
func frame(c *wire.Conn, w xproto.Window) (Rect, error) {
	w, err := frameOf(c, w)
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

// Own reports whether a window belongs to goated.
func (d *Desktop) Own(w Window) bool { return d.own(w) }

// Focused returns the window that receives keys, or false if there is none. The result may belong to
// goated: see Own.
func (d *Desktop) Focused() (Window, bool, error) {
	f, err := xproto.GetInputFocus(d.c.X).Reply()
	if err != nil {
		return Window{}, false, wire.Gone(err)
	}
	at := f.Focus
	switch at {
	case xproto.InputFocusPointerRoot, d.c.Root: // the window at the pointer receives the keys
		x, y, err := d.Cursor()
		if err != nil {
			return Window{}, false, err
		}
		return d.At(x, y)
	case xproto.InputFocusNone:
		if at, err = active(d.c); err != nil {
			return Window{}, false, err
		}
	}
	for range deepest { // a program may focus a part of its window
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

// A Layer is a child of the root window as shown on the screen: a frame with an application's window in
// it, a menu, or a panel.
type Layer struct {
	ID     uint32
	Bounds Rect
	Window Window // the window inside the frame, or the layer itself

	// Shaped means that the layer takes clicks, and covers what is below, only in the parts Solid. A
	// window with a shadow or round corners lets clicks through elsewhere.
	Shaped bool
	Solid  []Rect

	// Sheer means that what is below shows through the layer, except in the parts Opaque.
	Sheer  bool
	Opaque []Rect
}

// Parts returns the rectangles where the layer takes clicks.
func (l Layer) Parts() []Rect {
	if l.Shaped {
		return l.Solid
	}
	return []Rect{l.Bounds}
}

// Layers lists the layers on the screen from bottom to top.
func (d *Desktop) Layers() ([]Layer, error) {
	tree, err := xproto.QueryTree(d.c.X, d.c.Root).Reply()
	if err != nil {
		return nil, wire.Gone(err)
	}
	screen := d.Screen() // read it now, because a monitor may have been added
	attributes := make([]xproto.GetWindowAttributesCookie, len(tree.Children))
	geometry := make([]xproto.GetGeometryCookie, len(tree.Children))
	outlines := make([]outline, len(tree.Children))
	mixed := composited(d.c)
	sheers := make([]transparency, len(tree.Children))
	for i, w := range tree.Children {
		attributes[i], geometry[i] = xproto.GetWindowAttributes(d.c.X, w), xproto.GetGeometry(d.c.X, xproto.Drawable(w))
		outlines[i] = askOutline(d.c, w)
		if mixed {
			sheers[i] = askTransparency(d.c, w)
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
		inner, err := ask(d.c, insideFrame(d.c, w)).read(0)
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
