package x11

import (
	"fmt"
	"strconv"

	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/x11/wire"
)

// A Display is a monitor. All monitors share one coordinate system.
type Display struct {
	ID      int64 // stable while the monitor stays connected
	Name    string
	Frame   Rect
	Work    Rect // without panels and docks
	Main    bool // true for exactly one display
	Scale   float64
	WidthMM int // 0 if unknown
}

// Displays lists the monitors. The main one is first.
func (d *Desktop) Displays() ([]Display, error) {
	monitors, err := wire.Monitors(d.c)
	if err != nil {
		return nil, err
	}
	out := make([]Display, len(monitors))
	for i, m := range monitors {
		out[i] = Display{ID: int64(m.Name), Name: "screen", Frame: Rect{m.X, m.Y, m.W, m.H}, Main: i == 0, Scale: scale(d.c), WidthMM: m.WidthMM}
		if m.Name != 0 {
			out[i].Name = d.c.AtomName(m.Name)
		}
	}
	work := d.c.Ask(d.c.Root, "_NET_WORKAREA").Cardinals()
	for i := range out {
		out[i].Work = out[i].Frame
		if len(work) >= 4 {
			area := Rect{int(int32(work[0])), int(int32(work[1])), int(work[2]), int(work[3])}
			if in := area.Intersect(out[i].Frame); !in.Empty() {
				out[i].Work = in
			}
		}
	}
	return out, nil
}

// scale returns the factor by which the desktop tells programs to scale their interface (Xft.dpi in the
// resource database).
func scale(c *wire.Conn) float64 {
	text := c.Ask(c.Root, "RESOURCE_MANAGER").Text()
	if dpi := resource(text, "Xft.dpi"); dpi != "" {
		if n, err := strconv.ParseFloat(dpi, 64); err == nil && n >= 48 && n <= 960 {
			return n / 96
		}
	}
	return 1
}

// Screen returns the rectangle that contains all displays.
func (d *Desktop) Screen() Rect {
	if g, err := xproto.GetGeometry(d.c.X, xproto.Drawable(d.c.Root)).Reply(); err == nil {
		return Rect{0, 0, int(g.Width), int(g.Height)}
	}
	return Rect{0, 0, int(d.c.Screen.WidthInPixels), int(d.c.Screen.HeightInPixels)}
}

// Cursor returns the position of the mouse pointer.
func (d *Desktop) Cursor() (x, y int, err error) {
	r, err := xproto.QueryPointer(d.c.X, d.c.Root).Reply()
	if err != nil {
		return 0, 0, wire.Gone(err)
	}
	return int(r.RootX), int(r.RootY), nil
}

// Pressed returns the mask of the pressed modifiers and buttons, without locks (KeyButMask).
func (d *Desktop) Pressed() (uint16, error) {
	r, err := xproto.QueryPointer(d.c.X, d.c.Root).Reply()
	if err != nil {
		return 0, wire.Gone(err)
	}
	return r.Mask &^ (xproto.ModMaskLock | xproto.ModMask2), nil
}

// DisplayAt returns the display that contains a point, or the main display if none does.
func (d *Desktop) DisplayAt(x, y int) (Display, error) {
	all, err := d.Displays()
	if err != nil {
		return Display{}, err
	}
	for _, m := range all {
		if m.Frame.Contains(x, y) {
			return m, nil
		}
	}
	return all[0], nil
}

// Display returns the display with an id.
func (d *Desktop) Display(id int64) (Display, error) {
	all, err := d.Displays()
	if err != nil {
		return Display{}, err
	}
	for _, m := range all {
		if m.ID == id {
			return m, nil
		}
	}
	return Display{}, fmt.Errorf("%w: there is no display %d", ErrNoWindow, id)
}
