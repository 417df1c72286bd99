// Package screenshot takes pictures of an X11 desktop: of the screen, of a region, or of a window, even
// one that is covered by others. goated's own windows are grey in them. The package encodes pictures as
// PNG, JPEG and TIFF.
//
// The package owns a connection and a shared memory segment. It must not depend on tools.
package screenshot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jezek/xgb/composite"
	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/element"
	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/wire"
)

// ErrOutside means that no part of a region is on the screen.
var ErrOutside = errors.New("nothing of it is on the screen")

// Options configure a [Camera].
type Options struct {
	Desktop   *x11.Desktop // the source of windows and layers; the camera does not close it
	Display   string
	Authority string

	// Secret lists the screen areas to paint over in pictures, such as password fields. If Secret
	// fails, taking a picture fails. If it is nil, there are no such areas.
	Secret func(context.Context) ([]x11.Rect, error)
}

// A Camera takes pictures. Its methods are safe for concurrent use. It takes one picture at a time.
type Camera struct {
	d      *x11.Desktop
	c      *wire.Conn
	secret func(context.Context) ([]x11.Rect, error)

	mu        sync.Mutex // guards the segment: one picture at a time uses it
	segment   segment
	redirects bool // the server keeps the contents of covered windows
}

// New connects a camera to a display.
func New(ctx context.Context, o Options) (*Camera, error) {
	c, err := wire.Dial(ctx, wire.Options{Display: o.Display, Authority: o.Authority, Extensions: []string{"MIT-SHM", "Composite"}})
	if err != nil {
		return nil, err
	}
	if err := pixels(c); err != nil {
		c.Close()
		return nil, err
	}
	k := &Camera{d: o.Desktop, c: c, secret: o.Secret}
	if k.secret == nil {
		k.secret = func(context.Context) ([]x11.Rect, error) { return nil, nil }
	}
	k.redirect()
	return k, nil
}

// redirect makes the server keep the contents of each window, as a compositor does. Otherwise the
// covered part of a window exists nowhere.
func (k *Camera) redirect() {
	if !k.c.Has("Composite") {
		return
	}
	const major, minor = 0, 4
	if _, err := composite.QueryVersion(k.c.X, major, minor).Reply(); err != nil {
		return
	}
	k.redirects = composite.RedirectSubwindowsChecked(k.c.X, k.c.Root, composite.RedirectAutomatic).Check() == nil
}

// pixels checks that a pixel consists of four bytes in the order blue, green, red, unused.
func pixels(c *wire.Conn) error {
	for _, f := range c.Setup.PixmapFormats {
		if f.Depth == c.Screen.RootDepth && f.BitsPerPixel == 32 && c.Setup.ImageByteOrder == xproto.ImageOrderLSBFirst {
			return nil
		}
	}
	return fmt.Errorf("%w: its screen has a depth of %d bits; screenshots need 24 or 32", x11.ErrUnsupported, c.Screen.RootDepth)
}

// Abort ends the connection to a server that hangs, so that pending calls fail. Call Close as well.
func (k *Camera) Abort() { k.c.Abort() }

// ending is how long the server may take to finish a picture and to release the memory.
const ending = time.Second

// Close ends the connection and releases the memory.
func (k *Camera) Close() {
	late := time.AfterFunc(ending, k.Abort)
	defer late.Stop()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.segment.free(k.c)
	k.c.Close()
}

// Screen takes a picture of all displays together.
func (k *Camera) Screen(ctx context.Context) (*Picture, error) {
	return k.Region(ctx, k.d.Screen())
}

// Region takes a picture of the part of a region that is on the screen.
func (k *Camera) Region(ctx context.Context, r x11.Rect) (*Picture, error) {
	screen := k.d.Screen()
	in := r.Intersect(screen)
	if in.Empty() {
		return nil, fmt.Errorf("%w: the region %d, %d of %d × %d on a screen of %d × %d", ErrOutside, r.X, r.Y, r.W, r.H, screen.W, screen.H)
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	secret, err := k.secret(ctx)
	if err != nil {
		return nil, fmt.Errorf("looking for password fields: %w", err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	// A window of goated that appears or disappears in the meantime is in one of the two lists.
	before, err := k.d.Layers()
	if err != nil {
		return nil, err
	}
	p, err := k.grab(xproto.Drawable(k.c.Root), in.X, in.Y, in.W, in.H)
	if err != nil {
		return nil, err
	}
	p.Rect = in
	after, err := k.d.Layers()
	if err != nil {
		return nil, err
	}
	k.hide(p, before)
	k.hide(p, after)
	for _, r := range secret {
		p.fill(r)
	}
	return p, context.Cause(ctx)
}

// hide paints over the visible parts of goated's own windows.
func (k *Camera) hide(p *Picture, layers []x11.Layer) {
	for i, l := range layers {
		if !k.d.Own(l.Window) {
			continue
		}
		visible := []element.Rect{exact(l.Bounds.Intersect(p.Rect))}
		for _, above := range layers[i+1:] {
			if k.d.Own(above.Window) {
				continue
			}
			for _, part := range above.Hides() {
				visible = element.Subtract(visible, exact(part))
			}
		}
		for _, v := range visible {
			r := x11.Rect{X: int(v.X), Y: int(v.Y), W: int(v.Width), H: int(v.Height)}
			if !k.beneath(p, layers[:i], r) {
				p.fill(r)
			}
		}
	}
}

// beneath paints over a part of an own window with what is below it. It returns false if the server
// does not keep the contents of covered windows.
func (k *Camera) beneath(p *Picture, below []x11.Layer, r x11.Rect) bool {
	if !k.redirects {
		return false
	}
	p.fill(r)
	for _, l := range below {
		part := l.Bounds.Intersect(r)
		if part.Empty() || k.d.Own(l.Window) {
			continue
		}
		q, err := k.contents(l, part)
		if err != nil {
			continue
		}
		p.paint(q, part)
	}
	return true
}

// contents takes a picture of a part of a layer, covered or not. part is in screen pixels.
func (k *Camera) contents(l x11.Layer, part x11.Rect) (*Picture, error) {
	pixmap, err := xproto.NewPixmapId(k.c.X)
	if err != nil {
		return nil, wire.Gone(err)
	}
	if err := composite.NameWindowPixmapChecked(k.c.X, xproto.Window(l.ID), pixmap).Check(); err != nil {
		return nil, fmt.Errorf("%w: the server keeps no contents of the window: %w", x11.ErrUnsupported, wire.Gone(err))
	}
	defer xproto.FreePixmap(k.c.X, pixmap)
	q, err := k.grab(xproto.Drawable(pixmap), part.X-l.Bounds.X, part.Y-l.Bounds.Y, part.W, part.H)
	if err == nil {
		q.Rect = part
	}
	return q, err
}

// Window takes a picture of a window with its frame. If the server keeps them, the picture includes the
// parts that other windows cover and the parts outside the screen.
func (k *Camera) Window(ctx context.Context, id uint32) (*Picture, error) {
	w, err := k.d.Window(id)
	if err != nil {
		return nil, err
	}
	if !w.Mapped {
		return nil, fmt.Errorf("%w: the window %q is minimised or on another workspace; restore it first", x11.ErrRefused, w.Title)
	}
	layers, err := k.d.Layers()
	if err != nil {
		return nil, err
	}
	for _, l := range layers {
		if l.Window.ID != id || !k.redirects || k.d.Own(l.Window) { // Region masks goated's own windows
			continue
		}
		frame := w.Frame.Intersect(l.Bounds)
		secret, err := k.secret(ctx)
		if err != nil {
			return nil, fmt.Errorf("looking for password fields: %w", err)
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		p, err := k.contents(l, frame)
		if err != nil {
			return nil, err
		}
		for _, r := range secret {
			p.fill(r)
		}
		return p, context.Cause(ctx)
	}
	return k.Region(ctx, w.Frame)
}

// grab reads a rectangle of a window or pixmap. The caller holds mu.
func (k *Camera) grab(from xproto.Drawable, x, y, w, h int) (*Picture, error) {
	p := &Picture{Rect: x11.Rect{W: w, H: h}, Stride: 4 * w}
	if shared, err := k.segment.grab(k.c, from, x, y, w, h); err == nil {
		p.Pix = bytes.Clone(shared)
		return p, nil
	} else if errors.Is(wire.Gone(err), wire.ErrGone) {
		return nil, wire.ErrGone
	}
	r, err := xproto.GetImage(k.c.X, xproto.ImageFormatZPixmap, from, int16(x), int16(y), uint16(w), uint16(h), ^uint32(0)).Reply()
	if err != nil {
		return nil, fmt.Errorf("reading %d × %d pixels at %d, %d: %w", w, h, x, y, wire.Gone(err))
	}
	if p.Pix = r.Data; len(p.Pix) < p.Stride*h {
		return nil, fmt.Errorf("reading %d × %d pixels: the X server sent %d bytes", w, h, len(p.Pix))
	}
	return p, nil
}

// exact converts a rectangle for element.Subtract. Whole numbers stay exact.
func exact(r x11.Rect) element.Rect {
	return element.Rect{X: float64(r.X), Y: float64(r.Y), Width: float64(r.W), Height: float64(r.H)}
}
