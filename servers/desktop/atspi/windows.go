package atspi

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/godbus/dbus/v5"

	"goated/internal/enumeration"
)

// A Window is a window as its application describes it. The bus reports neither its position nor what
// covers it.
type Window struct {
	Ref    Ref
	ID     uint32 // stays the same while the bus is connected
	PID    int
	App    string // the name of the application
	Title  string
	Role   Role
	States States
	Shown  bool // the application shows it; it may be covered or on another workspace

	told bool // the application reported its states, which it is asked for last
}

// busyTimeout is how long [Windows] and [Bus.Focus] wait for an application that has answered before.
const busyTimeout = 3 * time.Second

// Windows lists the windows of all applications. It waits for busy applications. silent lists the
// applications whose windows are missing because they did not answer. Windows does not wait for these
// again until they have answered.
func Windows(ctx context.Context, b *Bus) (list []Window, silent []Application, err error) {
	for end := time.Now().Add(busyTimeout); ; {
		list, late, err := windows(ctx, b)
		unlisted := errors.Is(err, ErrRegistry) && b.conn.Context().Err() == nil
		if (unlisted || answeredBefore(b, late)) && time.Now().Before(end) {
			select {
			case <-time.After(20 * time.Millisecond): // it may have answered at once, with an error
				continue
			case <-ctx.Done():
			}
		}
		markHung(b, late)
		return list, late, err
	}
}

// windows lists the windows of the applications that answer within the budget of a tree. late lists the
// other applications.
func windows(ctx context.Context, b *Bus) (list []Window, late []Application, err error) {
	apps, err := b.Applications(ctx)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, b.opts.Budget)
	defer cancel()
	found, told := make([][]*Window, len(apps)), make([]bool, len(apps))
	var q []request
	for i, a := range apps {
		if a.Hung {
			continue
		}
		q = append(q, request{a.Root, accessibleIface + ".GetChildren", nil, func(body []any) {
			told[i] = true
			rows, _ := first[[][]any](body)
			for _, r := range refsOf(rows) {
				if r.Bus == a.Root.Bus {
					found[i] = append(found[i], describe(&q, a, r))
				}
			}
		}})
	}
	b.batch(ctx, queue(&q))
	over := ctx.Err() != nil
	for i, a := range apps {
		if a.Hung || over && (!told[i] || slices.ContainsFunc(found[i], func(w *Window) bool { return !w.told })) {
			late = append(late, a)
			continue
		}
		for _, w := range found[i] {
			if w.Role == 0 {
				continue // it closed in the meantime
			}
			id := b.known.id(Target{Ref: w.Ref, PID: w.PID, Role: w.Role.String(), Name: w.Title, named: true})
			if n, err := strconv.ParseUint(id[1:], 10, 32); err == nil {
				w.ID = uint32(n)
				list = append(list, *w)
			}
		}
	}
	return list, late, nil
}

// answeredBefore reports whether at least one of the applications is not marked as hung.
func answeredBefore(b *Bus, list []Application) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(list, func(i Application) bool {
		a := b.apps[i.Root.Bus]
		return a != nil && a.hung.IsZero()
	})
}

// markHung marks applications as hung.
func markHung(b *Bus, list []Application) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, i := range list {
		if a := b.apps[i.Root.Bus]; a != nil {
			a.hung = time.Now()
		}
	}
}

// describe adds requests for the properties of a window to q.
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
			w.told = true
			words, _ := first[[]uint32](body)
			w.States = statesOf(words)
			w.Shown = w.States.Has(StateShowing) || a.windowRelative() && w.States.Has(StateVisible)
		}})
	return w
}

// At returns the node of a window from [Windows], or 0 if the tree does not contain it.
func (t *Tree) At(r Ref) int {
	for i, n := range t.Nodes {
		if n.Ref == r {
			return i
		}
	}
	return 0
}

// NoAnswerText returns the words for one or several applications that do not answer.
func NoAnswerText(silent []Application) string {
	if len(silent) == 1 {
		return "it does not answer"
	}
	return "they do not answer"
}

// Names joins the names of applications.
func Names(list []Application) string {
	var out []string
	for _, a := range list {
		out = append(out, a.Name)
	}
	return enumeration.And(out)
}
