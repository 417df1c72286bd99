package wire

import (
	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/xproto"
)

// A Monitor is a part of the screen that is visible to the user. The screen may also have parts that no
// monitor shows.
type Monitor struct {
	Name       xproto.Atom // 0 for the whole screen, if the server does not report monitors
	X, Y, W, H int
	WidthMM    int // 0 if unknown
}

// Monitors lists the monitors. The main one is first. The connection needs RANDR.
func Monitors(c *Conn) ([]Monitor, error) {
	g, err := xproto.GetGeometry(c.X, xproto.Drawable(c.Root)).Reply()
	if err != nil {
		return nil, Gone(err)
	}
	var out []Monitor
	main := 0
	if c.Has("RANDR") {
		if r, err := randr.GetMonitors(c.X, c.Root, true).Reply(); err == nil {
			for i, m := range r.Monitors {
				out = append(out, Monitor{m.Name, int(m.X), int(m.Y), int(m.Width), int(m.Height), int(m.WidthInMillimeters)})
				if m.Primary {
					main = i
				}
			}
		}
	}
	if len(out) == 0 {
		return []Monitor{{W: int(g.Width), H: int(g.Height)}}, nil
	}
	out[0], out[main] = out[main], out[0]
	return out, nil
}
