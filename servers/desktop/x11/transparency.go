package x11

import (
	"fmt"

	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/x11/wire"
)

// A transparency holds the request for whether what is below a window shows through it.
type transparency struct {
	opacity *wire.Property
}

// composited reports whether a compositor blends windows. Without one, every window hides what is below
// it.
func composited(c *wire.Conn) bool {
	r, err := xproto.GetSelectionOwner(c.X, c.Atom(fmt.Sprintf("_NET_WM_CM_S%d", c.X.DefaultScreen))).Reply()
	return err == nil && r.Owner != 0
}

// askTransparency sends the request for a window.
func askTransparency(c *wire.Conn, w xproto.Window) transparency {
	return transparency{c.Ask(w, "_NET_WM_WINDOW_OPACITY")}
}

// read reports whether what is below a layer shows through it. opaque lists the parts where it does
// not. g is the geometry of the layer, and inner the application's window inside it.
func (s transparency) read(c *wire.Conn, g *xproto.GetGeometryReply, inner Window) (is bool, opaque []Rect) {
	const full = 1<<32 - 1
	for _, p := range []*wire.Property{s.opacity, c.Ask(xproto.Window(inner.ID), "_NET_WM_WINDOW_OPACITY")} {
		if v, ok := p.Cardinal(); ok && v != full {
			return true, nil
		}
	}
	const withAlpha = 32
	if g.Depth != withAlpha {
		return false, nil
	}
	region := c.Ask(xproto.Window(inner.ID), "_NET_WM_OPAQUE_REGION").Cardinals()
	for ; len(region) >= 4; region = region[4:] {
		r := Rect{inner.Client.X + int(int32(region[0])), inner.Client.Y + int(int32(region[1])), int(region[2]), int(region[3])}
		opaque = append(opaque, r.Intersect(inner.Client))
	}
	return true, opaque
}

// Hides returns the parts of the screen where the layer hides everything below it.
func (l Layer) Hides() []Rect {
	if !l.Sheer {
		return l.Parts()
	}
	var out []Rect
	for _, part := range l.Parts() {
		for _, r := range l.Opaque {
			if in := part.Intersect(r); !in.Empty() {
				out = append(out, in)
			}
		}
	}
	return out
}
