package x11

import (
	"context"
	"time"

	"goated/servers/desktop/x11/wire"
)

// A Kind is the kind of a [Change].
type Kind int

// The kinds of changes.
const (
	Created Kind = iota + 1
	Destroyed
	Moved
	Resized
	Minimized
	Restored
	FocusGained
	Hidden
	Shown
	Retitled
)

// A Change is a change of a window. Window is the window after the change, or before it if the window
// was destroyed.
type Change struct {
	Kind   Kind
	Window Window
	At     time.Time
}

// quiet is the shortest time between two checks of the windows, so that a window that is being dragged
// costs little.
const quiet = 15 * time.Millisecond

// Watch calls begun with the windows that exist, and then report for each change until the context ends.
// It returns the context's cause.
func (d *Desktop) Watch(ctx context.Context, begun func([]Window), report func(Change)) error {
	c, stop := d.changes.listen()
	defer stop()
	before, err := d.Windows()
	if err != nil {
		return err
	}
	begun(before)
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-c:
		case <-d.c.Gone():
			return wire.ErrGone
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		now, err := d.Windows()
		if err != nil {
			return err
		}
		at := time.Now()
		for _, change := range Compare(before, now) {
			change.At = at
			report(change)
		}
		before = now
		pause.Reset(quiet)
		select {
		case <-pause.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Compare returns the changes between two lists of windows.
func Compare(before, now []Window) (out []Change) {
	old := make(map[uint32]Window, len(before))
	for _, w := range before {
		old[w.ID] = w
	}
	for _, w := range now {
		o, known := old[w.ID]
		delete(old, w.ID)
		if !known {
			out = append(out, Change{Kind: Created, Window: w})
			if w.Focused {
				out = append(out, Change{Kind: FocusGained, Window: w})
			}
			continue
		}
		for _, c := range []struct {
			kind Kind
			is   bool
		}{
			{Moved, w.Frame.X != o.Frame.X || w.Frame.Y != o.Frame.Y},
			{Resized, w.Frame.W != o.Frame.W || w.Frame.H != o.Frame.H},
			{Minimized, w.Minimized && !o.Minimized},
			{Restored, !w.Minimized && o.Minimized},
			{Hidden, w.Hidden && !o.Hidden},
			{Shown, !w.Hidden && o.Hidden},
			{FocusGained, w.Focused && !o.Focused},
			{Retitled, w.Title != o.Title},
		} {
			if c.is {
				out = append(out, Change{Kind: c.kind, Window: w})
			}
		}
	}
	for _, w := range before {
		if _, gone := old[w.ID]; gone {
			out = append(out, Change{Kind: Destroyed, Window: w})
		}
	}
	return out
}
