package atspi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"goated/servers/desktop/element"
	"goated/servers/desktop/selector"
)

// An Expect describes the element that an action is meant for, in addition to its id. Empty fields are
// not compared. Role accepts every role name that selectors accept, such as "button".
type Expect struct{ Role, Name string }

// check returns a [ChangedError] error if the element's present role or name differs from what the caller
// expects.
func (x Expect) check(f *fresh) error {
	role, err := selector.Role(x.Role)
	if err == nil && !role.Fits(&element.Element{Role: f.Role}) || x.Name != "" && x.Name != f.Name {
		want := &ChangedError{x.Role, x.Name, f.Role, f.Name}
		if want.WantRole == "" {
			want.WantRole = "an element"
		}
		if x.Name == "" {
			want.WantName = f.Name
		}
		return want
	}
	return nil
}

// press lists the names that toolkits give to the main action of an element, in order of preference.
var press = []string{"click", "press", "activate", "jump", "open", "select", "toggle", "check", "uncheck", "default.activate", "dodefault", "action 1"}

// Actions lists what a user can do with an element. Each name can be passed to [Bus.Act].
func (b *Bus) Actions(ctx context.Context, t Target) ([]string, error) {
	f, err := b.refresh(ctx, t)
	if err != nil {
		return nil, err
	}
	if f.Secure {
		return nil, &SecretError{}
	}
	names, err := f.actions(ctx)
	if err == nil && f.interfaces&InterfaceComponent != 0 && f.states.Has(StateFocusable) && !slices.Contains(names, "focus") {
		names = append(names, "focus")
	}
	return names, err
}

// actions lists the names of the application's actions. Their places are their numbers.
func (f *fresh) actions(ctx context.Context) ([]string, error) {
	if f.interfaces&InterfaceAction == 0 {
		return nil, nil
	}
	var rows [][]any
	if err := f.b.call(ctx, f.Ref, actionIface+".GetActions", nil, &rows); err != nil {
		return nil, err
	}
	return actionsOf(rows), nil
}

// Act performs an action of an element: "press" for its main action, "focus", "select", "expand",
// "collapse", or a name that [Bus.Actions] lists. It verifies the element first. Act returns the
// element as it is afterwards, or nil if the action closed it, which is not an error.
func (b *Bus) Act(ctx context.Context, t Target, x Expect, action string) (*element.Element, error) {
	f, err := b.verify(ctx, t)
	if err != nil {
		return nil, err
	}
	if err := x.check(f); err != nil {
		return nil, err
	}
	switch strings.ToLower(action) {
	case "focus", "axfocus":
		err = f.focus(ctx)
	case "select", "axselect", "axpick":
		err = f.choose(ctx)
	case "expand":
		if !f.states.Has(StateExpanded) {
			err = f.perform(ctx, f.expanding()...)
		}
	case "collapse":
		if f.states.Has(StateExpanded) {
			err = f.perform(ctx, "expand or contract", "collapse", "toggle", "click", "activate")
		}
	case "", "press", "click", "axpress":
		if err = f.waitReleased(ctx); err == nil {
			err = f.perform(ctx, press...)
			b.known.press(t.Ref)
		}
	default:
		err = f.perform(ctx, action)
	}
	if err != nil {
		return nil, err
	}
	return f.elementAfter(ctx), nil
}

// NotPerformed reports whether an error of [Bus.Act] means that the action did not happen. After any other
// error, such as a timeout, the action may have happened.
func NotPerformed(err error) bool {
	var changed *ChangedError
	var covered *CoveredError
	var refused *RefusedError
	var gone *GoneError
	var secret *SecretError
	return errors.As(err, &changed) || errors.As(err, &covered) || errors.As(err, &refused) || errors.As(err, &gone) || errors.As(err, &secret) || errors.Is(err, ErrOwn)
}

// expanding lists the names that toolkits give to the action that expands an element, in order of
// preference. The last ones would open a row that has nothing to expand, such as a file.
func (f *fresh) expanding() []string {
	wanted := []string{"expand or contract", "expand"}
	if f.states.Has(StateExpandable) || f.states.Has(StateHasPopup) || f.Role == RoleMenu.String() {
		wanted = append(wanted, "toggle", "click", "activate")
	}
	return wanted
}

// perform performs the first of the wanted actions that the element has.
func (f *fresh) perform(ctx context.Context, wanted ...string) error {
	have, err := f.actions(ctx)
	if err != nil {
		return err
	}
	at := -1
	for _, w := range wanted {
		if at = slices.IndexFunc(have, func(s string) bool { return strings.EqualFold(s, w) }); at >= 0 {
			break
		}
	}
	if at < 0 {
		why := "has no action"
		if len(have) > 0 {
			why = fmt.Sprintf("has only the actions %s; use one of them", strings.Join(have, ", "))
		} else if !f.bounds.Empty() {
			c := f.bounds.Center()
			why += fmt.Sprintf("; click its place %.0f, %.0f", c.X, c.Y)
		}
		return &RefusedError{f.String(), why}
	}
	var done bool
	if err := f.b.call(ctx, f.Ref, actionIface+".DoAction", []any{int32(at)}, &done); err != nil {
		if _, closed := err.(*GoneError); closed {
			return nil // the action closed the element
		}
		return err
	}
	if !done {
		return &RefusedError{f.String(), fmt.Sprintf("did not perform %q", have[at])}
	}
	return nil
}

// waitReleased waits for a toggle button to come up again if it was pressed a moment ago. Some buttons with
// this role stay down for an instant after a press and ignore another press until then.
func (f *fresh) waitReleased(ctx context.Context) error {
	if f.Role != RoleToggleButton.String() || !f.states.Has(StateChecked) || !f.b.known.pressed(f.Ref) {
		return nil
	}
	return poll(ctx, func() (bool, error) {
		var words []uint32
		err := f.b.call(ctx, f.Ref, accessibleIface+".GetState", nil, &words)
		return !statesOf(words).Has(StateChecked) || !f.b.known.pressed(f.Ref), err
	})
}

// focus gives an element the keyboard focus.
func (f *fresh) focus(ctx context.Context) error {
	if f.interfaces&InterfaceComponent == 0 {
		return &RefusedError{f.String(), "can't have the focus"}
	}
	var done bool
	if err := f.b.call(ctx, f.Ref, componentIface+".GrabFocus", nil, &done); err != nil {
		return err
	}
	if !done {
		return &RefusedError{f.String(), "did not take the focus"}
	}
	return nil
}

// choose selects an element in its list. An element that is already selected stays selected.
func (f *fresh) choose(ctx context.Context) error {
	if f.states.Has(StateSelected) {
		return nil
	}
	v, err := f.b.property(ctx, f.Ref, accessibleIface, "Parent")
	if err != nil {
		return err
	}
	parent := refOf(v)
	var names []string
	if err := f.b.call(ctx, parent, accessibleIface+".GetInterfaces", nil, &names); err != nil {
		return err
	}
	if interfacesOf(names)&InterfaceSelection == 0 {
		return f.perform(ctx, append([]string{"select"}, press...)...)
	}
	var index int32
	if err := f.b.call(ctx, f.Ref, accessibleIface+".GetIndexInParent", nil, &index); err != nil {
		return err
	}
	var done bool
	if err := f.b.call(ctx, parent, selectionIface+".SelectChild", []any{index}, &done); err != nil {
		return err
	}
	if !done {
		return f.perform(ctx, press...)
	}
	return nil
}

// elementAfter reads an element after an action. It returns nil if the element is gone.
func (f *fresh) elementAfter(ctx context.Context) *element.Element {
	now, err := f.b.refresh(ctx, f.Target)
	if err != nil {
		return nil
	}
	e := now.element()
	e.ID = f.b.known.id(f.Target)
	if text, err := now.content(ctx); err == nil && text != "" {
		e.Text = text
	}
	return &e
}

// element converts a fresh target to an element.Element.
func (f *fresh) element() element.Element {
	e := element.Element{
		Role: f.Role, Name: f.Name, Text: f.Name, Bounds: f.bounds, Placed: !f.bounds.Empty(), Secure: f.Secure,
		Enabled: f.states.Has(StateEnabled) || f.states.Has(StateSensitive), Focused: f.states.Has(StateFocused),
		Visible: f.states.Has(StateShowing) || f.relative && f.states.Has(StateVisible), Attributes: make(map[string]string),
	}
	for _, s := range shownStates {
		if f.states.Has(s.state) {
			e.Attributes[s.name] = "true"
		}
	}
	return e
}
