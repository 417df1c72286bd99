package backend

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"goated/internal/enumeration"
	"goated/servers/desktop/access"
	"goated/servers/desktop/atspi"
	"goated/servers/desktop/element"
	"goated/servers/desktop/fault"
	"goated/servers/desktop/guard"
	"goated/servers/desktop/remark"
)

// connect connects to the desktop's accessibility bus.
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
	return bus, fault.Status(c.withAccessAdvice(err))
}

// withAccessAdvice adds to an error of a session without elements what works there instead.
func (c *core) withAccessAdvice(err error) error {
	off := errors.Is(err, atspi.ErrOff)
	switch {
	case !off && !errors.Is(err, atspi.ErrNoBus):
		return err
	case c.wl != nil && off: // keys and presses need accessibility on Wayland
		return fmt.Errorf("%w; ask the user to turn accessibility on. On Wayland nothing works without it. %s", err, out)
	case c.wl != nil:
		return fmt.Errorf("%w; tell the user that on Wayland nothing works without one. %s", err, out)
	case off:
		return fmt.Errorf("%w; turn it on, or use screenshots with coordinates", err)
	}
	return fmt.Errorf("%w; use screenshots with coordinates", err)
}

// secretAreas returns the areas that screenshots must cover: password fields, windows with a password field
// at an unknown position, and windows that ask for a password by their title in programs that describe no
// fields. The window of a program that hangs stays visible, because the model must see that it hangs.
func (c *core) secretAreas(ctx context.Context) ([]element.Rect, error) {
	secrets, err := c.access.Secrets(ctx)
	switch {
	case errors.Is(err, access.ErrUnreachable):
		remark.Add(ctx, "The picture may show passwords: the accessibility bus does not answer, so password fields are not covered")
	case err != nil:
		return nil, err
	case len(secrets.Silent) > 0:
		remark.Add(ctx, "The picture may show passwords: these applications did not say where their password fields are: "+enumeration.And(secrets.Silent))
	}
	all, err := c.x.desktop.Windows()
	if err != nil {
		return nil, err
	}
	list := secrets.Places
	for _, w := range all {
		if w.Visible() && (slices.Contains(secrets.Unplaced, w.PID) || guard.AsksPassword(elementWindow(w)) && !c.access.Describes(ctx, w.PID)) {
			list = append(list, rect(w.Frame))
		}
	}
	return list, nil
}
