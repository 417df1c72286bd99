package backend

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/element"
	"goated/servers/desktop/fault"
	"goated/servers/desktop/guard"
	"goated/servers/desktop/portal"
	"goated/servers/desktop/portal/keyboard"
	"goated/servers/desktop/resourcename"
	"goated/servers/desktop/x11"
)

// A wayland is a Wayland session. Applications describe their windows over accessibility. The
// portals of the session press keys, copy and take pictures with the user's consent. wayland
// implements guard.Screen for the session.
type wayland struct {
	c        *core
	portal   *portal.Portal     // nil if there is none
	why      error              // why there is no portal
	keyboard *keyboard.Keyboard // nil if there is no portal
	choice   *portal.Choice     // the user's choice of pictures
}

func openWayland(ctx context.Context, c *core) *wayland {
	w := &wayland{c: c}
	w.choice = portal.NewChoice(w.shoot)
	o := portal.Options{Session: c.o.Session}
	if c.o.Folder != "" {
		o.Consent = filepath.Join(c.o.Folder, "wayland-keys")
		o.Clipboard = filepath.Join(c.o.Folder, "wayland-clipboard")
	}
	if w.portal, w.why = portal.Open(ctx, o); w.portal != nil {
		w.keyboard = keyboard.New(w.portal, w)
	}
	return w
}

func (w *wayland) close() {
	w.choice.Close()
	if w.portal != nil {
		w.portal.Close()
	}
}

// closeDialogs closes the dialogs that ask the user for keys, the clipboard and pictures.
func (w *wayland) closeDialogs(cause error) {
	w.choice.Withdraw(cause)
	if w.portal != nil {
		w.portal.Withdraw(cause)
	}
}

// asks reports whether a process shows the dialogs that ask the user for consent.
func (w *wayland) asks(pid int) bool { return w.portal != nil && w.portal.Asks(pid) }

// out is advice for the user about what Wayland does not allow.
const out = "For that, use the hidden desktop (a switch of the desktop server), or log in to an X11 session"

// errWayland is the error of everything that Wayland does not let programs do.
var errWayland = status.Error(codes.Unimplemented, "this is a Wayland session, which lets no program move, close or click other programs' windows, or see where they are. "+
	"Elements, their actions and texts work, keys, the clipboard and pictures with the user's consent. "+out)

// errPointer is the error of everything that needs a position.
var errPointer = status.Error(codes.Unimplemented, "this is a Wayland session, which does not say which window is at a position: a click there could press goated's own Allow. "+
	"Press the element by its role and name instead, or perform one of its actions; scroll with the key Page_Down, or write the value of the scroll bar. "+out)

// errNoPositions is the error of searches for elements by position.
var errNoPositions = status.Error(codes.Unimplemented, "this is a Wayland session, where applications do not know where their windows are. Find elements by role and text. "+out)

// errWatch is the error of observations of windows.
var errWatch = status.Error(codes.Unimplemented, "this is a Wayland session, which does not report windows. List the windows again, or observe TREE_CHANGES of an application. "+out)

// Layers implements guard.Screen. It fails, because the session does not report where windows are.
func (w *wayland) Layers(context.Context) ([]guard.Layer, error) { return nil, errPointer }

// Focused implements guard.Screen. A window whose application is unknown to accessibility, such as
// goated's, may have the keyboard focus when no other window reports it. Then keys are refused.
func (w *wayland) Focused(ctx context.Context) (element.Window, bool, error) {
	bus, err := w.c.access.Quick(ctx)
	if err != nil {
		return element.Window{}, false, w.c.withAccessAdvice(err)
	}
	all, silent, err := w.list(ctx, bus)
	if err != nil {
		return element.Window{}, false, err
	}
	var active []x11.Window
	for _, x := range all {
		if x.Focused {
			active = append(active, x)
		}
	}
	switch len(active) {
	case 1:
		return elementWindow(active[0]), true, nil
	case 0:
		if len(silent) > 0 {
			return element.Window{}, false, &guard.Refusal{Why: "refused: no application says that it has the keys, and " + atspi.Names(silent) + " cannot be asked, because " + atspi.NoAnswerText(silent) + "; wait, or ask the user to click the window that is meant"}
		}
		return element.Window{}, false, &guard.Refusal{Why: "refused: no application says that it has the keys, so they could go into goated itself; ask the user to click the window that is meant, or write the text into an element"}
	}
	var titles []string
	for _, x := range active {
		titles = append(titles, fmt.Sprintf("%q of %s", x.Title, x.Class))
	}
	return element.Window{}, false, &guard.Refusal{Why: "refused: several windows say that they have the keys: " + strings.Join(titles, ", ")}
}

// windows lists the windows that applications describe, except goated's own and the desktop's
// dialogs. The windows of the silent applications are missing.
func (w *wayland) windows(ctx context.Context) (list []x11.Window, silent []atspi.Application, err error) {
	bus, err := w.c.elements(ctx)
	if err != nil {
		return nil, nil, err
	}
	list, silent, err = w.list(ctx, bus)
	return list, silent, fault.Status(err)
}

// list is like windows, but uses bus.
func (w *wayland) list(ctx context.Context, bus *atspi.Bus) (list []x11.Window, silent []atspi.Application, err error) {
	all, silent, err := atspi.Windows(ctx, bus)
	if err != nil {
		return nil, nil, err
	}
	for _, x := range all {
		if !w.c.guard.OwnsPID(x.PID) {
			list = append(list, windowFrom(x))
		}
	}
	return list, silent, nil
}

// windowFrom converts the description of a window by its application. The window's position is unknown.
func windowFrom(x atspi.Window) x11.Window {
	kind := "normal"
	if x.Role != atspi.RoleFrame && x.Role != atspi.RoleWindow {
		kind = "dialog"
	}
	return x11.Window{ID: x.ID, PID: x.PID, Title: x.Title, Class: x.App, Type: kind, State: x11.State{
		Focused: x.States.Has(atspi.StateActive), Modal: x.States.Has(atspi.StateModal), Minimized: x.States.Has(atspi.StateIconified), Mapped: x.Shown}}
}

// window returns the window with a name.
func (w *wayland) window(ctx context.Context, name string) (x11.Window, error) {
	pid, id, err := resourcename.ParseWindow(name)
	if err != nil {
		return x11.Window{}, err
	}
	if err := fault.Status(w.c.guard.Element(pid)); err != nil {
		return x11.Window{}, err
	}
	all, silent, err := w.windows(ctx)
	if err != nil {
		return x11.Window{}, err
	}
	for _, x := range all {
		if x.ID == id && x.PID == pid {
			return x, nil
		}
	}
	if err := silentError(silent, pid); err != nil {
		return x11.Window{}, err
	}
	return x11.Window{}, fault.NotFound("there is no window %s any more", name)
}

// node returns the node of a window in its application's tree, or 0 if there is none.
func (w *wayland) node(ctx context.Context, t *atspi.Tree, id uint32) int {
	bus, err := w.c.elements(ctx)
	if err != nil {
		return 0
	}
	target, ok := bus.Target(fmt.Sprintf("e%d", id))
	if !ok {
		return 0
	}
	return t.At(target.Ref)
}

// portals returns the session's portals, or an error with the reason why there are none.
func (w *wayland) portals() (*portal.Portal, error) {
	if w.portal == nil {
		return nil, withPortalAdvice(w.why)
	}
	select {
	case <-w.portal.Ended():
		return nil, status.Error(codes.Unavailable, "the session has ended")
	default:
		return w.portal, nil
	}
}

// withPortalAdvice adds advice to the error of a session that lacks a portal.
func withPortalAdvice(err error) error {
	if errors.Is(err, portal.ErrMissing) {
		return status.Error(codes.Unimplemented, err.Error()+". On Wayland, keys, the clipboard and pictures need xdg-desktop-portal with a backend that offers them, as those of GNOME and KDE do. "+out)
	}
	return fault.Status(err)
}
