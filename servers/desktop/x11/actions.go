package x11

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/x11/wire"
)

// source identifies us to the window manager as a pager, which acts for the user.
const source = 2

// message sends the window manager a client message about a window.
func message(c *wire.Conn, w xproto.Window, name string, data ...uint32) {
	for len(data) < 5 {
		data = append(data, 0)
	}
	e := xproto.ClientMessageEvent{Format: 32, Window: w, Type: c.Atom(name), Data: xproto.ClientMessageDataUnionData32New(data)}
	const mask = xproto.EventMaskSubstructureRedirect | xproto.EventMaskSubstructureNotify
	xproto.SendEvent(c.X, false, c.Root, mask, string(e.Bytes()))
}

// managed reports whether a window manager with EWMH is running.
func managed(c *wire.Conn) bool {
	_, ok := clients(c)
	return ok
}

// change calls do and waits until done reports true for the window. It returns the window as it is at
// the end.
func (d *Desktop) change(ctx context.Context, id uint32, what string, do func(Window), done func(Window) bool) (Window, error) {
	w, err := d.Window(id)
	if err != nil {
		return w, err
	}
	if err := context.Cause(ctx); err != nil {
		return w, err
	}
	if done(w) {
		return w, nil
	}
	do(w)
	err = d.await(ctx, settle, func() (bool, error) {
		w, err = d.Window(id)
		return err == nil && done(w), err
	})
	if errors.Is(err, errLate) {
		return w, fmt.Errorf("%w: %s window 0x%x (%q) had no effect within %v", ErrRefused, what, id, w.Title, settle)
	}
	return w, err
}

// Activate raises a window, restores it if it is minimised, and gives it the keyboard focus.
func (d *Desktop) Activate(ctx context.Context, id uint32) (Window, error) {
	w, err := d.Window(id)
	if err != nil {
		return w, err
	}
	minimized := w.Minimized
	if managed(d.c) {
		message(d.c, xproto.Window(id), "_NET_ACTIVE_WINDOW", source, 0, 0)
	} else {
		if !w.Mapped {
			xproto.MapWindow(d.c.X, xproto.Window(id))
		}
		xproto.ConfigureWindow(d.c.X, xproto.Window(id), xproto.ConfigWindowStackMode, []uint32{xproto.StackModeAbove})
		xproto.SetInputFocus(d.c.X, xproto.InputFocusPointerRoot, xproto.Window(id), xproto.TimeCurrentTime)
	}
	focused := func(w Window) bool { return w.Focused && w.Mapped && !w.Minimized }
	err = d.await(ctx, settle, func() (bool, error) {
		w, err = d.Window(id)
		return err == nil && focused(w) && d.onTop(id), err
	})
	if errors.Is(err, errLate) && !focused(w) {
		return w, fmt.Errorf("%w: the window %q (0x%x) did not receive the keys within %v", ErrRefused, w.Title, id, settle)
	}
	if errors.Is(err, errLate) {
		err = nil // the window manager keeps another window above it
	}
	if err == nil && minimized {
		return waitFullSize(ctx, d, id)
	}
	return w, err
}

// onTop reports whether a window is covered only by panels, by windows that always stay above, and by
// dialogs.
func (d *Desktop) onTop(id uint32) bool {
	all, err := d.all()
	for _, w := range all {
		if w.ID == id {
			return true
		}
		if w.Visible() && !w.Above && w.Type != "dock" && w.Transient == 0 {
			return false
		}
	}
	return err != nil
}

// Move moves the top left corner of the frame.
func (d *Desktop) Move(ctx context.Context, id uint32, x, y int) (Window, error) {
	if x < -maxCoordinate || x > maxCoordinate || y < -maxCoordinate || y > maxCoordinate {
		return Window{}, fmt.Errorf("%w: the point %d, %d is not on an X screen", ErrRefused, x, y)
	}
	managed := managed(d.c)
	return d.place(ctx, id, "moving", func(w Window) Rect { return Rect{x, y, w.Frame.W, w.Frame.H} }, func(w Window, off Rect) {
		at := []uint32{uint32(x + off.X), uint32(y + off.Y)}
		if managed {
			const moveXY, northWest = 3 << 8, 1
			message(d.c, xproto.Window(id), "_NET_MOVERESIZE_WINDOW", northWest|moveXY|source<<12, at[0], at[1])
			return
		}
		xproto.ConfigureWindow(d.c.X, xproto.Window(id), xproto.ConfigWindowX|xproto.ConfigWindowY, at)
	})
}

// Resize resizes the frame. If the program accepts only certain sizes, Resize uses the nearest of them.
func (d *Desktop) Resize(ctx context.Context, id uint32, width, height int) (Window, error) {
	if width < 1 || height < 1 || width > maxCoordinate || height > maxCoordinate {
		return Window{}, fmt.Errorf("%w: the size %d × %d is not between 1 and %d", ErrRefused, width, height, maxCoordinate)
	}
	w, err := d.Window(id)
	if err != nil {
		return w, err
	}
	if w.hints.fixed() && (w.Frame.W != width || w.Frame.H != height) {
		return w, fmt.Errorf("%w: the window %q has a fixed size of %d × %d", ErrRefused, w.Title, w.Frame.W, w.Frame.H)
	}
	managed := managed(d.c)
	client := func(w Window) (int, int) {
		return w.hints.nearest(width-(w.Frame.W-w.Client.W), height-(w.Frame.H-w.Client.H))
	}
	return d.place(ctx, id, "resizing", func(w Window) Rect {
		cw, ch := client(w)
		return Rect{w.Frame.X, w.Frame.Y, cw + w.Frame.W - w.Client.W, ch + w.Frame.H - w.Client.H}
	}, func(w Window, off Rect) {
		cw, ch := client(w)
		size := []uint32{uint32(max(1, cw+off.W)), uint32(max(1, ch+off.H))}
		if managed {
			const sizeWH = 12 << 8
			message(d.c, xproto.Window(id), "_NET_MOVERESIZE_WINDOW", sizeWH|source<<12, 0, 0, size[0], size[1])
			return
		}
		xproto.ConfigureWindow(d.c.X, xproto.Window(id), xproto.ConfigWindowWidth|xproto.ConfigWindowHeight, size)
	})
}

const maxCoordinate = 1<<15 - 1

// corrections is how often place tries again, corrected by the difference from the last result. Window
// managers account for borders and shadows in different ways.
const corrections = 2

// correction is how long a window manager may take to follow a corrected request.
const correction = 250 * time.Millisecond

// place changes a frame and waits for the result. A window manager may choose another position or size
// within its limits. place then returns that one.
func (d *Desktop) place(ctx context.Context, id uint32, what string, goal func(Window) Rect, do func(w Window, off Rect)) (Window, error) {
	w, err := d.Window(id)
	if err == nil && w.Maximized {
		w, err = d.Maximize(ctx, id, false)
	}
	if err != nil {
		return w, err
	}
	if err := context.Cause(ctx); err != nil {
		return w, err
	}
	var off Rect
	limit := settle
	start := w.Frame
	for range 1 + corrections {
		if w.Frame == goal(w) {
			return w, nil
		}
		before := w.Frame
		do(w, off)
		w, err = waitMoved(ctx, d, id, before, goal, limit)
		if errors.Is(err, errLate) {
			break
		}
		for end := time.Now().Add(settle); err == nil && w.Frame != goal(w) && time.Now().Before(end); { // it may pass its old place
			w, err = waitMoved(ctx, d, id, w.Frame, goal, correction)
		}
		if err != nil && !errors.Is(err, errLate) {
			return w, err
		}
		g := goal(w)
		off = Rect{off.X + g.X - w.Frame.X, off.Y + g.Y - w.Frame.Y, off.W + g.W - w.Frame.W, off.H + g.H - w.Frame.H}
		limit = correction
	}
	if w.Frame == start && w.Frame != goal(w) {
		return w, fmt.Errorf("%w: %s the window %q (0x%x) had no effect within %v", ErrRefused, what, w.Title, id, settle)
	}
	return w, nil
}

// waitMoved waits until a frame is at its goal, or at least elsewhere than before. It returns errLate if
// the frame does not move.
func waitMoved(ctx context.Context, d *Desktop, id uint32, before Rect, goal func(Window) Rect, limit time.Duration) (w Window, err error) {
	err = d.await(ctx, limit, func() (bool, error) {
		w, err = d.Window(id)
		return err == nil && (w.Frame == goal(w) || w.Frame != before), err
	})
	return w, err
}

// Minimize minimises a window. It needs a window manager.
func (d *Desktop) Minimize(ctx context.Context, id uint32) (Window, error) {
	if !managed(d.c) && !redirected(d.c) {
		return Window{}, fmt.Errorf("%w: windows can be minimised only under a window manager, and none runs", ErrUnsupported)
	}
	var before Window
	w, err := d.change(ctx, id, "minimising", func(w Window) {
		before = w
		message(d.c, xproto.Window(id), "WM_CHANGE_STATE", iconic)
	}, func(w Window) bool { return w.Minimized && !w.Mapped })
	if err != nil || before.ID == 0 { // it was minimised already
		return w, err
	}
	return waitHidden(ctx, d, before)
}

// hideTimeout is how long a window manager may take to hide the frame of a minimised window.
const hideTimeout = time.Second

// waitHidden waits until the frame of a minimised window is hidden. A window manager may animate the frame,
// which moves it away and back in the meantime. If the frame stays visible, waitHidden returns no error.
func waitHidden(ctx context.Context, d *Desktop, before Window) (w Window, err error) {
	err = d.await(ctx, hideTimeout, func() (bool, error) {
		if w, err = d.Window(before.ID); err != nil || w.Frame != before.Frame {
			return false, err
		}
		top, err := frameOf(d.c, xproto.Window(w.ID))
		if err != nil {
			return false, err
		}
		a, err := xproto.GetWindowAttributes(d.c.X, top).Reply()
		if err != nil {
			return false, wire.Gone(err)
		}
		return a.MapState != xproto.MapStateViewable, nil
	})
	if errors.Is(err, errLate) {
		return w, nil
	}
	return w, err
}

// Restore shows a minimised window again.
func (d *Desktop) Restore(ctx context.Context, id uint32) (Window, error) {
	managed := managed(d.c)
	w, err := d.change(ctx, id, "restoring", func(Window) {
		if managed {
			message(d.c, xproto.Window(id), "_NET_ACTIVE_WINDOW", source, 0, 0)
			return
		}
		xproto.MapWindow(d.c.X, xproto.Window(id))
	}, func(w Window) bool { return !w.Minimized && w.Mapped })
	if err != nil {
		return w, err
	}
	return waitFullSize(ctx, d, id)
}

// waitFullSize waits until the frame of a restored window has its full size. A window manager may animate the
// frame, which moves and shrinks it in the meantime. If the window stays smaller, waitFullSize returns
// no error.
func waitFullSize(ctx context.Context, d *Desktop, id uint32) (w Window, err error) {
	err = d.await(ctx, settle, func() (bool, error) {
		if w, err = d.Window(id); err != nil || w.Shaded {
			return true, err
		}
		shown, err := frame(d.c, xproto.Window(id))
		return shown.Intersect(w.Frame) == w.Frame, err
	})
	if errors.Is(err, errLate) {
		return w, nil
	}
	return w, err
}

// Maximize maximises a window, or gives it its former size again.
func (d *Desktop) Maximize(ctx context.Context, id uint32, on bool) (Window, error) {
	if !managed(d.c) {
		return Window{}, fmt.Errorf("%w: windows can be maximised only under a window manager, and none runs", ErrUnsupported)
	}
	return d.change(ctx, id, "maximising", func(Window) {
		state := uint32(0)
		if on {
			state = 1
		}
		vertical, horizontal := uint32(d.c.Atom("_NET_WM_STATE_MAXIMIZED_VERT")), uint32(d.c.Atom("_NET_WM_STATE_MAXIMIZED_HORZ"))
		message(d.c, xproto.Window(id), "_NET_WM_STATE", state, vertical, horizontal, source)
	}, func(w Window) bool { return w.Maximized == on })
}

// CloseWindow asks a window to close. With force it ends the program's connection to the display
// instead. If the program asks the user something first, the error contains the title of that dialog.
func (d *Desktop) CloseWindow(ctx context.Context, id uint32, force bool) error {
	w, err := d.Window(id)
	if err != nil {
		return err
	}
	before, err := d.all()
	if err != nil {
		return err
	}
	known := make(map[uint32]bool, len(before))
	for _, o := range before {
		known[o.ID] = true
	}
	switch {
	case force:
		xproto.KillClient(d.c.X, id)
	case managed(d.c):
		message(d.c, xproto.Window(id), "_NET_CLOSE_WINDOW", 0, source)
	default:
		deleteWindow(d.c, w)
	}
	var asks *Window
	err = d.await(ctx, settle, func() (bool, error) {
		now, err := d.all()
		if err != nil {
			return false, err
		}
		there := false
		for _, o := range now {
			there = there || o.ID == id
			if !known[o.ID] && o.PID == w.PID && (o.Transient == id || o.Type == "dialog" || o.Modal) {
				asks = &o
			}
		}
		return !there || asks != nil, nil
	})
	switch {
	case errors.Is(err, errLate):
		for _, o := range before {
			if o.ID != id && o.PID == w.PID && o.Visible() && (o.Transient == id || o.Modal) {
				return fmt.Errorf("%w: the window %q is still open after %v, and its program waits for an answer in the window %q; answer that one first", ErrRefused, w.Title, settle, o.Title)
			}
		}
		return fmt.Errorf("%w: window 0x%x (%q) is still open after %v", ErrRefused, id, w.Title, settle)
	case err == nil && asks != nil:
		return fmt.Errorf("%w: before the window %q closes, its program asks in the window %q; answer it there", ErrRefused, w.Title, asks.Title)
	}
	return err
}

// deleteWindow asks the program itself to close the window, because there is no window manager.
func deleteWindow(c *wire.Conn, w Window) {
	for _, p := range w.protocols {
		if p == "WM_DELETE_WINDOW" {
			e := xproto.ClientMessageEvent{Format: 32, Window: xproto.Window(w.ID), Type: c.Atom("WM_PROTOCOLS"),
				Data: xproto.ClientMessageDataUnionData32New([]uint32{uint32(c.Atom("WM_DELETE_WINDOW")), 0, 0, 0, 0})}
			xproto.SendEvent(c.X, false, xproto.Window(w.ID), xproto.EventMaskNoEvent, string(e.Bytes()))
			return
		}
	}
	xproto.DestroyWindow(c.X, xproto.Window(w.ID))
}
