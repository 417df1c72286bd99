package atspi

import (
	"context"
	"strconv"

	"github.com/godbus/dbus/v5"
)

// A Window is a window as its application describes it. The bus does not know where it is,
// nor what covers it.
type Window struct {
	Ref    Ref
	ID     uint32 // the same for as long as the bus is connected
	PID    int
	App    string // the name of the application
	Title  string
	Role   Role
	States States
	Shown  bool // on the screen, perhaps covered or on another workspace
}

// Windows lists the windows of all applications, within the budget of a tree. Those of
// applications that do not answer are missing.
func Windows(ctx context.Context, b *Bus) ([]Window, error) {
	apps, err := b.Applications(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, b.opts.Budget)
	defer cancel()
	found := make([][]*Window, len(apps))
	var q []request
	for i, a := range apps {
		if a.Hung {
			continue
		}
		q = append(q, request{a.Root, accessibleIface + ".GetChildren", nil, func(body []any) {
			rows, _ := first[[][]any](body)
			for _, r := range refsOf(rows) {
				if r.Bus == a.Root.Bus {
					found[i] = append(found[i], describe(&q, a, r))
				}
			}
		}})
	}
	b.batch(ctx, queue(&q))
	var list []Window
	for _, windows := range found {
		for _, w := range windows {
			if w.Role == 0 {
				continue // it closed meanwhile
			}
			id := b.known.id(Target{Ref: w.Ref, PID: w.PID, Role: w.Role.String(), Name: w.Title, named: true})
			if n, err := strconv.ParseUint(id[1:], 10, 32); err == nil {
				w.ID = uint32(n)
				list = append(list, *w)
			}
		}
	}
	return list, nil
}

// describe asks for what is known of a window.
func describe(q *[]request, a Application, r Ref) *Window {
	w := &Window{Ref: r, PID: a.PID, App: a.Name}
	*q = append(*q,
		request{r, accessibleIface + ".GetRole", nil, func(body []any) { v, _ := first[uint32](body); w.Role = Role(v) }},
		request{r, propertiesIface + ".Get", []any{accessibleIface, "Name"}, func(body []any) {
			v, _ := first[dbus.Variant](body)
			name, _ := v.Value().(string)
			w.Title = cleanName(name, a.windowRelative())
		}},
		request{r, accessibleIface + ".GetState", nil, func(body []any) {
			words, _ := first[[]uint32](body)
			w.States = statesOf(words)
			w.Shown = w.States.Has(StateShowing) || a.windowRelative() && w.States.Has(StateVisible)
		}})
	return w
}

// At returns the node of a window of [Windows]; 0: the tree lacks it.
func (t *Tree) At(r Ref) int {
	for i, n := range t.Nodes {
		if n.Ref == r {
			return i
		}
	}
	return 0
}
