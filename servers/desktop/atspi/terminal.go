package atspi

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"goated/servers/desktop/element"
)

// A Focus is what has the keys in an application. The zero value is an ordinary element, or
// none.
type Focus struct {
	Secure   bool // a password field
	Terminal bool // it runs what is typed, such as the terminal of an editor
}

// emulators are classes of the elements of terminals in Chromium, which has no role for them:
// xterm.js, which VS Code and most others use, and hterm.
var emulators = []string{"xterm-helper-textarea", "hterm"}

// shown reads the tree of a process; nil: it has none.
func shown(ctx context.Context, b *Bus, pid int) (*Tree, error) {
	a, err := b.Application(ctx, pid)
	var t *Tree
	if err == nil {
		t, err = b.Snapshot(ctx, a)
	}
	var none *NoTree
	if errors.As(err, &none) {
		return nil, nil
	}
	return t, err
}

// Focus returns what keys of a process would go into. It waits for a busy application: what
// did not arrive in time could be a password field. One that does not tell is a [Hung] error.
func (b *Bus) Focus(ctx context.Context, pid int) (Focus, error) {
	for end := time.Now().Add(busyTimeout); ; {
		t, err := shown(ctx, b, pid)
		if err != nil || t == nil {
			return Focus{}, err
		}
		f, err := t.Focus(ctx)
		if err != nil || !t.late || f.Secure || f.Terminal || !t.App.Hung && t.fresh() {
			return f, err
		}
		if ctx.Err() != nil || time.Now().After(end) {
			return Focus{}, &Hung{t.App.Name}
		}
	}
}

// fresh reports whether the application told just now which element has the keys.
func (t *Tree) fresh() bool {
	return !t.old && slices.ContainsFunc(t.Nodes, func(n Node) bool { return n.States.Has(StateFocused) })
}

// Focus returns what keys of the application would go into.
func (t *Tree) Focus(ctx context.Context) (f Focus, err error) {
	var unknown []int
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.States.Has(StateFocused) {
			f.Secure = f.Secure || n.Secure
			f.Terminal = f.Terminal || n.Role == RoleTerminal
			if n.States.Has(StateEditable) && t.App.Toolkit == "Chromium" {
				unknown = append(unknown, i)
			}
		}
	}
	if len(unknown) > 0 && t.Fetch(ctx, unknown, element.FieldAttributes) > 0 {
		return f, &Hung{t.App.Name}
	}
	for _, i := range unknown {
		for _, class := range strings.Fields(t.Nodes[i].attributes["class"]) {
			f.Terminal = f.Terminal || slices.Contains(emulators, class)
		}
	}
	return f, nil
}

// Terminals lists the places of terminals that a process shows.
func Terminals(ctx context.Context, b *Bus, pid int) ([]element.Rect, error) {
	t, err := shown(ctx, b, pid)
	if err != nil || t == nil {
		return nil, err
	}
	return t.Terminals(ctx), nil
}

// Terminals lists the places of terminals that the application shows.
func (t *Tree) Terminals(ctx context.Context) (list []element.Rect) {
	var nodes []int
	for i := range t.Nodes {
		if t.Nodes[i].Role == RoleTerminal && t.visible(i) {
			nodes = append(nodes, i)
		}
	}
	t.Fetch(ctx, nodes, element.FieldBounds)
	for _, i := range nodes {
		if r := t.Nodes[i].bounds; !r.Empty() {
			list = append(list, r)
		}
	}
	return list
}
