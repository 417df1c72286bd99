package backend

import (
	"context"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/element"
	"goated/servers/desktop/guard"
)

// connect connects to the accessibility bus of the desktop.
func (c *core) connect(ctx context.Context) (*atspi.Bus, error) {
	o := atspi.Options{Session: c.o.Session, Enable: c.o.Enable, Own: c.guard.OwnsPID, Unplaced: c.wl != nil}
	if c.workplace != nil {
		o.Enable = func(context.Context) (bool, error) { return true, nil }
	}
	if c.x != nil {
		o.Windows, o.Paste, o.Covered = c.x.windowsOf, c.x.replace, c.x.covered
	}
	return atspi.Connect(ctx, o)
}

// elements returns the accessibility bus, and connects to it first if necessary.
func (c *core) elements(ctx context.Context) (*atspi.Bus, error) {
	bus, err := c.access.Bus(ctx)
	return bus, fault(err)
}

// secretAreas lists what screenshots leave out: the password fields, and the windows that ask for
// a password by their names, of programs that describe no fields.
func (c *core) secretAreas(ctx context.Context) ([]element.Rect, error) {
	list, err := c.access.Secure(ctx)
	if err != nil {
		return nil, err
	}
	all, err := c.x.desktop.Windows()
	if err != nil {
		return nil, err
	}
	for _, w := range all {
		if w.Visible() && guard.Secretive(shared(w)) && !c.access.Describes(ctx, w.PID) {
			list = append(list, rect(w.Frame))
		}
	}
	return list, nil
}
