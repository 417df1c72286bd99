package x11

import (
	"github.com/jezek/xgb/shape"
	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/x11/wire"
)

// An outline holds the requests about the shape of a window: where it draws, and where it takes clicks.
// The zero value holds none.
type outline struct {
	asked           bool
	bounding, input shape.GetRectanglesCookie
}

// askOutline requests the shape of a window, if the server supports shapes.
func askOutline(c *wire.Conn, w xproto.Window) outline {
	if !c.Has("SHAPE") {
		return outline{}
	}
	return outline{true, shape.GetRectangles(c.X, w, shape.SkBounding), shape.GetRectangles(c.X, w, shape.SkInput)}
}

// maxParts limits how many parts of a shape are read. A shape with more parts counts as empty.
const maxParts = 1 << 14

// read returns where a window takes clicks, in screen pixels. shaped is false if it takes all clicks
// within its bounds. g is nil if the window is gone.
func (o outline) read(g *xproto.GetGeometryReply) (solid []Rect, shaped bool) {
	if !o.asked {
		return nil, false
	}
	bounding, err1 := o.bounding.Reply()
	input, err2 := o.input.Reply()
	if g == nil || err1 != nil || err2 != nil || len(bounding.Rectangles)*len(input.Rectangles) > maxParts {
		return nil, true
	}
	border := int(g.BorderWidth)
	// If a window has a border but no shape, the server omits the last pixels.
	whole := Rect{int(g.X), int(g.Y), int(g.Width) + 2*border, int(g.Height) + 2*border}
	for _, b := range bounding.Rectangles {
		for _, i := range input.Rectangles {
			part := rectOf(b).Intersect(rectOf(i))
			part.X, part.Y = part.X+whole.X+border, part.Y+whole.Y+border // relative to the inside of the border
			if part == whole {
				return nil, false
			}
			if !part.Empty() {
				solid = append(solid, part)
			}
		}
	}
	return solid, true
}

func rectOf(r xproto.Rectangle) Rect { return Rect{int(r.X), int(r.Y), int(r.Width), int(r.Height)} }
