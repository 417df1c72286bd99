package backend

import (
	"context"
	"fmt"
	"time"

	"goated/internal/secretname"
	"goated/servers/desktop/atspi"
	"goated/servers/desktop/element"
	"goated/servers/desktop/guard"
	"goated/servers/desktop/inputaction"
	pb "goated/servers/desktop/macosusesdk"
)

// lookTime is how long an action waits until an application describes the target for the journal.
// The input itself does not depend on it.
const lookTime = 80 * time.Millisecond

// An inputTarget describes the target of an input for the journal.
type inputTarget struct {
	words  string
	secret bool // its name shows that it holds a secret
}

// inputTarget describes the target of an input for the process pid, or for any process if pid is
// anyPID. If a is nil, the target is the window with the keyboard focus. Without a journal, it returns
// the zero value.
func (c *core) inputTarget(ctx context.Context, pid int, a *pb.InputAction) inputTarget {
	if c.journal == nil {
		return inputTarget{}
	}
	at := inputaction.Position(a)
	if c.x != nil {
		at = c.x.position(a)
	}
	w, ok := c.windowReached(ctx, pid, at)
	if !ok {
		// A window that takes the focus now may ask for a password. Shortcuts of the desktop need no window.
		return inputTarget{words: "no window", secret: a.GetTypeText() != nil}
	}
	words := fmt.Sprintf("the window %q", w.Title)
	found := make(chan inputTarget, 1) // receives the element; the goroutine ends when the application answers
	if !c.looks.Go(func() { found <- c.elementAt(ctx, w.PID, at) }) {
		found <- inputTarget{}
	}
	late := time.NewTimer(lookTime)
	defer late.Stop()
	s := inputTarget{}
	select {
	case s = <-found:
	case <-late.C:
	case <-ctx.Done():
	}
	if s.words == "" {
		return inputTarget{words: words, secret: guard.AsksPassword(w)}
	}
	return inputTarget{words: words + ", " + s.words, secret: s.secret}
}

// typedSecret reports whether the journal leaves out what an input types.
func (s inputTarget) typedSecret(a *pb.InputAction) bool {
	return s.secret && (a.GetTypeText() != nil || a.GetPressKey() != nil)
}

// windowReached returns the window at a point, or the window that receives the keys of a process.
func (c *core) windowReached(ctx context.Context, pid int, at *pb.Point) (element.Window, bool) {
	if c.wl != nil {
		w, ok, err := c.wl.Focused(ctx)
		return w, ok && err == nil
	}
	if at != nil {
		w, ok, err := c.x.desktop.At(int(at.GetX()), int(at.GetY()))
		return elementWindow(w), ok && err == nil
	}
	w, _, err := c.x.windowForKeys(pid) // the action itself reports the error
	return elementWindow(w), err == nil
}

// elementAt describes a process's element at a point, or its focused element. The result is empty if the
// process describes no such element.
func (c *core) elementAt(ctx context.Context, pid int, at *pb.Point) inputTarget {
	bus, _ := c.access.ForGuard(ctx)
	if bus == nil || c.guard.OwnsPID(pid) {
		return inputTarget{}
	}
	app, err := bus.Application(ctx, pid)
	if err != nil {
		return inputTarget{}
	}
	t, err := bus.Snapshot(ctx, app)
	if err != nil {
		return inputTarget{}
	}
	node := 0
	if at != nil {
		for _, n := range t.Find(ctx, atspi.Query{Visible: true, Region: &element.Rect{X: at.GetX(), Y: at.GetY(), Width: 1, Height: 1}}) {
			node = n // the innermost element comes last
		}
	} else {
		for n := range t.Nodes {
			if t.Nodes[n].States.Has(atspi.StateFocused) {
				node = n
			}
		}
	}
	if node == 0 {
		return inputTarget{}
	}
	t.Fetch(ctx, []int{node}, element.AllFields)
	e := t.Element(node)
	s := inputTarget{words: e.Description(), secret: e.Secure || secretname.In(e.Name)}
	if state := e.StateText(); state != "" && !s.secret {
		s.words += ": " + state
	}
	return s
}
