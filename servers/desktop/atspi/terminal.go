package atspi

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"goated/servers/desktop/element"
)

// A Focus describes the focused element of an application. The zero value stands for an ordinary
// element, or none.
type Focus struct {
	Secure   bool // a password field
	Terminal bool // it executes what is typed, like the terminal in an editor
}

// emulators are the CSS classes of terminal elements in Chromium, which has no role for terminals. They
// belong to xterm.js, which VS Code and most others use, and to hterm.
var emulators = []string{"xterm-helper-textarea", "hterm"}

// treeOf reads the tree of a process. It returns nil if the process has none.
func treeOf(ctx context.Context, b *Bus, pid int) (*Tree, error) {
	a, err := b.Application(ctx, pid)
	var t *Tree
	if err == nil {
		t, err = b.Snapshot(ctx, a)
	}
	var none *NoTreeError
	if errors.As(err, &none) {
		return nil, nil
	}
	return t, err
}

// Focus describes the element of a process that would receive typed keys. It waits for a busy
// application, because an element that has not arrived yet could be a password field. If the
// application does not answer, the error is a [HungError].
func (b *Bus) Focus(ctx context.Context, pid int) (Focus, error) {
	for end := time.Now().Add(busyTimeout); ; {
		t, err := treeOf(ctx, b, pid)
		if err != nil || t == nil {
			return Focus{}, err
		}
		f, err := t.Focus(ctx)
		if err != nil || !t.late || f.Secure || f.Terminal || !t.App.Hung && t.fresh() {
			return f, err
		}
		if ctx.Err() != nil || time.Now().After(end) {
			return Focus{}, &HungError{t.App.Name}
		}
	}
}

// fresh reports whether the tree is current and contains a focused element.
func (t *Tree) fresh() bool {
	return !t.old && slices.ContainsFunc(t.Nodes, func(n Node) bool { return n.States.Has(StateFocused) })
}

// Focus describes the element that would receive typed keys.
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
		return f, &HungError{t.App.Name}
	}
	for _, i := range unknown {
		for _, class := range strings.Fields(t.Nodes[i].attributes["class"]) {
			f.Terminal = f.Terminal || slices.Contains(emulators, class)
		}
	}
	return f, nil
}

// Terminals lists the positions of the terminals that a process shows.
func Terminals(ctx context.Context, b *Bus, pid int) ([]element.Rect, error) {
	t, err := treeOf(ctx, b, pid)
	if err != nil || t == nil {
		return nil, err
	}
	return t.Terminals(ctx), nil
}

// Terminals lists the positions of the terminals that the application shows.
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
