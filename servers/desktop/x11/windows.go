package x11

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/x11/wire"
)

// A Rect is a rectangle in screen pixels. Y grows downwards. The top left pixel of the X screen is 0,
// 0.
type Rect struct{ X, Y, W, H int }

// Contains reports whether a point is inside the rectangle.
func (r Rect) Contains(x, y int) bool { return x >= r.X && y >= r.Y && x < r.X+r.W && y < r.Y+r.H }

// Intersect returns the common part of two rectangles. Its size is 0 if there is none.
func (r Rect) Intersect(o Rect) Rect {
	x, y := max(r.X, o.X), max(r.Y, o.Y)
	return Rect{x, y, max(0, min(r.X+r.W, o.X+o.W)-x), max(0, min(r.Y+r.H, o.Y+o.H)-y)}
}

// Empty reports whether the rectangle contains no pixels.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// A Window is a window of an application at one moment.
type Window struct {
	ID        uint32
	Title     string
	Class     string // the second part of WM_CLASS, or the first if there is only one
	PID       int    // 0 if the application does not set it
	Frame     Rect   // with the decoration of the window manager, but without invisible shadows
	Client    Rect   // the window's contents
	Type      string // "normal", "dialog", "dock", "desktop", "menu", …
	Transient uint32 // the window that this one belongs to, or 0
	Desktop   int    // the workspace; -1 for all workspaces
	Z         int    // the position in the stacking order; 0 is at the top
	State

	actions   []string // of _NET_WM_ALLOWED_ACTIONS
	protocols []string
	hints     hints
}

// A State describes how a window is shown.
type State struct {
	Minimized, Maximized, Fullscreen, Focused, Modal, Above bool

	Shaded bool // rolled up to its title

	Mapped bool // the X server shows it
	Hidden bool // it is on another workspace, or withdrawn
}

// Visible reports whether the window is on the current workspace and not minimised.
func (w Window) Visible() bool { return w.Mapped && !w.Minimized && !w.Hidden }

// Allows reports whether the window manager offers "MOVE", "RESIZE", "MINIMIZE" or "CLOSE". Without a
// window manager every action is allowed.
func (w Window) Allows(action string) bool {
	return w.actions == nil || slices.Contains(w.actions, "_NET_WM_ACTION_"+action)
}

// Resizable reports whether the window can be resized.
func (w Window) Resizable() bool { return w.Allows("RESIZE") && !w.hints.fixed() }

// Description describes the position and the state of the window in words.
func (w Window) Description() string {
	state := "shown"
	switch {
	case w.Minimized:
		state = "minimised"
	case w.Maximized:
		state = "maximised"
	case w.Hidden:
		state = "hidden"
	}
	if w.Focused {
		state += ", with the keys"
	}
	return fmt.Sprintf("at %d, %d, %d × %d, %s", w.Frame.X, w.Frame.Y, w.Frame.W, w.Frame.H, state)
}

// clients lists the windows of applications from bottom to top, and reports whether a window manager
// maintains the list.
func clients(c *wire.Conn) ([]xproto.Window, bool) {
	check, stacking, plain := c.Ask(c.Root, "_NET_SUPPORTING_WM_CHECK"), c.Ask(c.Root, "_NET_CLIENT_LIST_STACKING"), c.Ask(c.Root, "_NET_CLIENT_LIST")
	wm, ok := check.Cardinal()
	if ok {
		self, _ := c.Ask(xproto.Window(wm), "_NET_SUPPORTING_WM_CHECK").Cardinal()
		ok = self == wm && wm != 0 // the property outlives its window manager
	}
	list, other := stacking.Cardinals(), plain.Cardinals()
	if len(list) == 0 {
		list = other
	}
	if ok {
		out := make([]xproto.Window, len(list))
		for i, w := range list {
			out[i] = xproto.Window(w)
		}
		return out, true
	}
	tree, err := xproto.QueryTree(c.X, c.Root).Reply()
	if err != nil {
		return nil, false
	}
	attributes := make([]xproto.GetWindowAttributesCookie, len(tree.Children))
	states := make([]*wire.Property, len(tree.Children))
	for i, w := range tree.Children {
		attributes[i], states[i] = xproto.GetWindowAttributes(c.X, w), c.Ask(w, "WM_STATE")
	}
	frames := redirected(c)
	var out []xproto.Window
	for i, w := range tree.Children {
		a, err := attributes[i].Reply()
		state := states[i].Cardinals()
		if err != nil || a.Class != xproto.WindowClassInputOutput {
			continue
		}
		if frames && len(state) == 0 {
			if inside := insideFrame(c, w); inside != w {
				out = append(out, inside)
				continue
			}
		}
		if !a.OverrideRedirect && (a.MapState == xproto.MapStateViewable || len(state) > 0) {
			out = append(out, w)
		}
	}
	return out, false
}

// redirected reports whether a window manager is running, even one without EWMH, such as twm. That one
// puts windows into frames and sets no property on them except WM_STATE.
func redirected(c *wire.Conn) bool {
	a, err := xproto.GetWindowAttributes(c.X, c.Root).Reply()
	return err == nil && a.AllEventMasks&xproto.EventMaskSubstructureRedirect != 0
}

// A query holds the requests about one window, which are sent before the first reply is read.
type query struct {
	id         xproto.Window
	properties map[string]*wire.Property
	geometry   xproto.GetGeometryCookie
	origin     xproto.TranslateCoordinatesCookie
	attributes xproto.GetWindowAttributesCookie
}

var windowProperties = [...]string{"_NET_WM_NAME", "WM_NAME", "WM_CLASS", "_NET_WM_PID", "_NET_FRAME_EXTENTS", "_GTK_FRAME_EXTENTS", "_NET_WM_STATE",
	"_NET_WM_WINDOW_TYPE", "_NET_WM_ALLOWED_ACTIONS", "WM_NORMAL_HINTS", "WM_TRANSIENT_FOR", "WM_PROTOCOLS", "WM_STATE", "_NET_WM_DESKTOP"}

func ask(c *wire.Conn, id xproto.Window) *query {
	q := &query{id: id, properties: make(map[string]*wire.Property, len(windowProperties))}
	for _, name := range windowProperties {
		q.properties[name] = c.Ask(id, name)
	}
	q.geometry = xproto.GetGeometry(c.X, xproto.Drawable(id))
	q.origin = xproto.TranslateCoordinates(c.X, id, c.Root, 0, 0)
	q.attributes = xproto.GetWindowAttributes(c.X, id)
	return q
}

// read builds a Window from the replies. It returns ErrNoWindow if the window is gone.
func (q *query) read(active xproto.Window) (Window, error) {
	w := Window{ID: uint32(q.id), Desktop: -1, State: State{Focused: q.id == active}}
	for _, p := range q.properties {
		p.Reply()
	}
	g, err1 := q.geometry.Reply()
	o, err2 := q.origin.Reply()
	a, err3 := q.attributes.Reply()
	if err := errors.Join(err1, err2, err3); err != nil {
		if gone := wire.Gone(err1); errors.Is(gone, wire.ErrGone) {
			return w, gone
		}
		return w, fmt.Errorf("%w: 0x%x", ErrNoWindow, w.ID)
	}
	p := q.properties
	if w.Title = p["_NET_WM_NAME"].Text(); w.Title == "" {
		w.Title = p["WM_NAME"].Text()
	}
	class := strings.Split(strings.TrimRight(p["WM_CLASS"].Text(), "\x00"), "\x00")
	w.Class = class[len(class)-1]
	if pid, ok := p["_NET_WM_PID"].Cardinal(); ok {
		w.PID = int(pid)
	}
	w.Client = Rect{int(o.DstX), int(o.DstY), int(g.Width), int(g.Height)}
	w.Frame = grow(w.Client, p["_NET_FRAME_EXTENTS"].Cardinals(), 1)
	w.Frame = grow(w.Frame, p["_GTK_FRAME_EXTENTS"].Cardinals(), -1)
	w.Type = "normal"
	for _, t := range p["_NET_WM_WINDOW_TYPE"].Atoms() {
		if t, ok := strings.CutPrefix(t, "_NET_WM_WINDOW_TYPE_"); ok {
			w.Type = strings.ToLower(t)
			break
		}
	}
	transient, _ := p["WM_TRANSIENT_FOR"].Cardinal()
	w.Transient = transient
	if n, ok := p["_NET_WM_DESKTOP"].Cardinal(); ok {
		w.Desktop = int(int32(n))
	}
	w.Mapped = a.MapState == xproto.MapStateViewable
	w.states(p["_NET_WM_STATE"].Atoms())
	if s, ok := p["WM_STATE"].Cardinal(); ok && s == iconic && !w.Shaded {
		w.Minimized = true
	}
	w.Focused = w.Focused && !w.Minimized // a window manager may name the next active window only a moment later
	if p["_NET_WM_ALLOWED_ACTIONS"].Reply() != nil && p["_NET_WM_ALLOWED_ACTIONS"].Reply().Type != 0 {
		w.actions = append([]string{}, p["_NET_WM_ALLOWED_ACTIONS"].Atoms()...)
	}
	w.protocols = p["WM_PROTOCOLS"].Atoms()
	w.hints = readHints(p["WM_NORMAL_HINTS"].Cardinals())
	return w, nil
}

// iconic is the value of WM_STATE for a minimised window.
const iconic = 3

func (w *State) states(names []string) {
	vertical, horizontal := false, false
	for _, s := range names {
		switch s {
		case "_NET_WM_STATE_HIDDEN":
			w.Minimized = true
		case "_NET_WM_STATE_MAXIMIZED_VERT":
			vertical = true
		case "_NET_WM_STATE_MAXIMIZED_HORZ":
			horizontal = true
		case "_NET_WM_STATE_FULLSCREEN":
			w.Fullscreen = true
		case "_NET_WM_STATE_MODAL":
			w.Modal = true
		case "_NET_WM_STATE_ABOVE":
			w.Above = true
		case "_NET_WM_STATE_SHADED":
			w.Shaded = true
		}
	}
	w.Maximized = vertical && horizontal
}

// grow enlarges a rectangle by extents (left, right, top, bottom) multiplied by sign.
func grow(r Rect, extents []uint32, sign int) Rect {
	if len(extents) < 4 {
		return r
	}
	for _, e := range extents[:4] {
		if e > 1<<12 {
			return r
		}
	}
	left, right, top, bottom := sign*int(extents[0]), sign*int(extents[1]), sign*int(extents[2]), sign*int(extents[3])
	return Rect{r.X - left, r.Y - top, r.W + left + right, r.H + top + bottom}
}

// Windows lists the windows of applications from top to bottom, without goated's own.
func (d *Desktop) Windows() ([]Window, error) {
	all, err := d.all()
	return slices.DeleteFunc(all, func(w Window) bool { return d.own(w) }), err
}

// WindowsWithout lists the windows as soon as ended is true for none of them. ended reports whether a
// window's process has ended. The X server keeps the window of such a process for a moment. A window
// that stays for a second is in the list: it belongs to a container, which has its own PIDs.
func WindowsWithout(ctx context.Context, d *Desktop, ended func(Window) bool) (all []Window, err error) {
	err = d.await(ctx, time.Second, func() (bool, error) {
		all, err = d.Windows()
		return !slices.ContainsFunc(all, ended), err
	})
	if errors.Is(err, errLate) {
		err = nil
	}
	return all, err
}

// all lists the windows, including goated's own.
func (d *Desktop) all() ([]Window, error) {
	ids, managed := clients(d.c)
	active, err := active(d.c) // after the list, which is empty if the connection has ended
	if err != nil {
		return nil, err
	}
	current, _ := d.c.Ask(d.c.Root, "_NET_CURRENT_DESKTOP").Cardinal()
	queries := make([]*query, len(ids))
	for i, id := range ids {
		queries[i] = ask(d.c, id)
	}
	out := make([]Window, 0, len(ids))
	for _, q := range slices.Backward(queries) {
		w, err := q.read(active)
		switch {
		case errors.Is(err, ErrNoWindow):
			continue // it closed in the meantime
		case err != nil:
			return nil, err
		}
		w.Hidden = managed && w.Desktop >= 0 && w.Desktop != int(current) || !w.Mapped && !w.Minimized
		w.Z = len(out)
		out = append(out, w)
	}
	return out, nil
}

// Window returns one window. It returns ErrNoWindow if the window does not exist, and ErrOwn if it
// belongs to goated.
func (d *Desktop) Window(id uint32) (Window, error) {
	w, err := read(d.c, xproto.Window(id))
	if err == nil && d.own(w) {
		return Window{}, fmt.Errorf("%w: window 0x%x", ErrOwn, id)
	}
	return w, err
}

// read returns one window, even if it belongs to goated.
func read(c *wire.Conn, id xproto.Window) (Window, error) {
	q := ask(c, id)
	active, err := active(c)
	if err != nil {
		return Window{}, err
	}
	return q.read(active)
}

// active returns the window with the keyboard focus, or 0 if there is none. It returns ErrGone if the
// connection has ended.
func active(c *wire.Conn) (xproto.Window, error) {
	property := c.Ask(c.Root, "_NET_ACTIVE_WINDOW")
	focus := xproto.GetInputFocus(c.X)
	w, ok := property.Cardinal()
	f, err := focus.Reply()
	if err != nil {
		return 0, wire.Gone(err)
	}
	if ok {
		return xproto.Window(w), nil
	}
	if f.Focus <= 1 {
		return 0, nil
	}
	return f.Focus, nil
}
