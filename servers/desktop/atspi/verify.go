package atspi

import (
	"context"
	"fmt"
	"strings"

	"github.com/godbus/dbus/v5"

	"goated/servers/desktop/element"
)

// ChangedError means that an element is not the one that the caller saw.
type ChangedError struct {
	WantRole, WantName string
	HaveRole, HaveName string
}

func (e *ChangedError) Error() string {
	return fmt.Sprintf("the element has changed: expected %s %q, but there is %s %q now; find it again", e.WantRole, e.WantName, e.HaveRole, e.HaveName)
}

// CoveredError means that something covers an element, so that a user could not reach it.
type CoveredError struct{ Target, By string }

func (e *CoveredError) Error() string {
	return fmt.Sprintf("%s is covered by %s; move or close that first", e.Target, e.By)
}

// RefusedError means that an element does not accept an action. Why gives the reason.
type RefusedError struct{ Target, Why string }

func (e *RefusedError) Error() string { return e.Target + " " + e.Why }

// SecretError means that an element is a password field, or a part of one.
type SecretError struct{}

func (e *SecretError) Error() string {
	return "this is a password field: the desktop tools never read, click or fill those; ask the user to do it"
}

// A fresh is the present state of a target.
type fresh struct {
	Target
	b          *Bus
	states     States
	interfaces Interfaces
	bounds     element.Rect // on the screen; empty if unknown
	relative   bool
}

func (f *fresh) String() string { return fmt.Sprintf("the %s %q", f.Role, f.Name) }

// verify reads a target again. It returns an error if the element differs from the one that the caller
// saw, is gone, is part of a password field, or is out of a user's reach.
func (b *Bus) verify(ctx context.Context, t Target) (*fresh, error) {
	f, err := b.refresh(ctx, t)
	if err != nil {
		return nil, err
	}
	if f.Secure || t.Secure {
		return nil, &SecretError{}
	}
	if t.Role != f.Role || t.Name != f.Name {
		return nil, &ChangedError{t.Role, t.Name, f.Role, f.Name}
	}
	if f.states.Has(StateDefunct) {
		return nil, &GoneError{f.String()}
	}
	if !f.states.Has(StateEnabled) && !f.states.Has(StateSensitive) {
		return nil, &RefusedError{f.String(), "is disabled"}
	}
	if err := f.reachable(ctx); err != nil {
		return nil, err
	}
	return f, nil
}

// refresh reads the present state of a target.
func (b *Bus) refresh(ctx context.Context, t Target) (*fresh, error) {
	if b.opts.Own != nil && b.opts.Own(t.PID) {
		return nil, ErrOwn
	}
	if err := b.allowed(t.Ref.Bus); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, b.opts.Call, errCall)
	defer cancel()
	f := &fresh{Target: t, b: b, relative: b.relative(t.Ref.Bus)}
	var role uint32
	if err := b.call(ctx, t.Ref, accessibleIface+".GetRole", nil, &role); err != nil {
		return nil, err
	}
	f.Role = Role(role).String()
	var name string
	q := []request{
		{t.Ref, propertiesIface + ".Get", []any{accessibleIface, "Name"}, func(body []any) {
			v, _ := first[dbus.Variant](body)
			name, _ = v.Value().(string)
		}},
		{t.Ref, accessibleIface + ".GetState", nil, func(body []any) {
			words, _ := first[[]uint32](body)
			f.states = statesOf(words)
		}},
		{t.Ref, accessibleIface + ".GetInterfaces", nil, func(body []any) {
			names, _ := first[[]string](body)
			f.interfaces = interfacesOf(names)
		}},
	}
	if !f.relative && !b.opts.Unplaced {
		q = append(q, request{t.Ref, componentIface + ".GetExtents", []any{onScreen}, func(body []any) {
			if r, ok := rectOf(body); ok {
				f.bounds = appTransform(b, t.Ref.Bus, t.page).rect(r)
			}
		}})
	}
	if late, _ := b.batch(ctx, queue(&q)); late > 0 {
		return nil, b.convertError(ctx, t.Ref.Bus, ctx.Err())
	}
	f.Name = cleanName(name, f.relative)
	if f.Name == "" && !t.named {
		f.Name = t.Name // the name comes from its label
	}
	f.Secure = f.Secure || Role(role) == RolePasswordText
	return f, nil
}

// relative reports whether an application reports positions relative to its windows.
func (b *Bus) relative(bus string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.apps[bus]
	return a != nil && a.info.windowRelative()
}

// reachable returns an error if the target is not shown, if a modal dialog of its application blocks
// it, or if another window covers it.
func (f *fresh) reachable(ctx context.Context) error {
	shown := f.states.Has(StateShowing) || f.relative && f.states.Has(StateVisible)
	if !shown && !strings.HasSuffix(f.Role, "menu item") { // items of closed menus can be chosen
		return &RefusedError{f.String(), "is not on the screen: scroll to it, or open the part that holds it"}
	}
	top, ancestors, err := f.window(ctx)
	if err != nil {
		return err
	}
	if dialog, err := f.modal(ctx, ancestors); err != nil || dialog != "" {
		if err != nil {
			return err
		}
		return &CoveredError{f.String(), dialog}
	}
	if f.relative && shown {
		f.place(ctx, top)
	}
	if f.b.opts.Covered != nil && shown && !f.bounds.Empty() {
		by, err := f.b.opts.Covered(ctx, f.PID, f.bounds.Center())
		if err != nil {
			return err
		}
		if by != "" {
			return &CoveredError{f.String(), by}
		}
	}
	return nil
}

// window walks up to the window of an element. It returns the window and all elements on the way. For a
// part of a password field it returns a [SecretError] error.
func (f *fresh) window(ctx context.Context) (top Ref, ancestors map[Ref]bool, err error) {
	r, ancestors := f.Ref, make(map[Ref]bool)
	for range depth {
		ancestors[r] = true
		v, err := f.b.property(ctx, r, accessibleIface, "Parent")
		if err != nil {
			return top, nil, err
		}
		parent := refOf(v)
		if parent.none() || parent.Bus != r.Bus || ancestors[parent] {
			break
		}
		if parent.Path == rootPath {
			return r, ancestors, nil
		}
		var role uint32
		if err := f.b.call(ctx, parent, accessibleIface+".GetRole", nil, &role); err != nil {
			return top, nil, err
		}
		switch Role(role) {
		case RolePasswordText:
			return top, nil, &SecretError{}
		case RoleApplication:
			return r, ancestors, nil
		}
		r = parent
	}
	return r, ancestors, nil
}

// modal describes the modal window of an application that blocks its other windows. It returns "" if
// there is none, or if the target is inside it. Of two modal windows, such as a dialog and its
// question, the active one blocks the other. If neither is active, the one that opened last does.
func (f *fresh) modal(ctx context.Context, ancestors map[Ref]bool) (string, error) {
	f.b.mu.Lock()
	a := f.b.apps[f.Ref.Bus]
	f.b.mu.Unlock()
	if a == nil {
		return "", nil
	}
	windows, err := f.b.children(ctx, a.info.Root)
	if err != nil {
		return "", err
	}
	var lock Ref
	for _, w := range windows {
		var words []uint32
		if err := f.b.call(ctx, w, accessibleIface+".GetState", nil, &words); err != nil {
			continue // it closed in the meantime
		}
		if s := statesOf(words); s.Has(StateModal) && s.Has(StateShowing) {
			if lock = w; s.Has(StateActive) {
				break
			}
		}
	}
	if lock.none() || ancestors[lock] {
		return "", nil
	}
	name, _ := f.b.property(ctx, lock, accessibleIface, "Name")
	return fmt.Sprintf("the dialog %q of the same application", fmt.Sprint(name)), nil
}

// place computes the screen position of an element whose application reports positions relative to its
// windows. The position stays unknown if the windows are unknown.
func (f *fresh) place(ctx context.Context, top Ref) {
	if f.b.opts.Windows == nil {
		return
	}
	windows, err := f.b.opts.Windows(ctx, f.PID)
	if err != nil {
		return
	}
	title, err := f.b.property(ctx, top, accessibleIface, "Name")
	if err != nil {
		return
	}
	w, ok := windowOf(fmt.Sprint(title), windows)
	if !ok {
		return
	}
	var window, own []any
	if f.b.call(ctx, top, componentIface+".GetExtents", []any{inWindow}, &window) != nil || f.b.call(ctx, f.Ref, componentIface+".GetExtents", []any{inWindow}, &own) != nil {
		return
	}
	content, ok1 := rectOf([]any{window})
	r, ok2 := rectOf([]any{own})
	if ok1 && ok2 {
		f.bounds = transformOf(true, w, content).rect(r)
	}
}
