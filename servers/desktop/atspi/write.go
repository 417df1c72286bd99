package atspi

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"goated/servers/desktop/element"
)

// NotWrittenError means that an element holds another text than the one written.
type NotWrittenError struct{ Target, Want, Have string }

func (e *NotWrittenError) Error() string {
	return fmt.Sprintf("%s did not accept the text: it was to hold %s, and holds %s", e.Target, quote(e.Want), quote(e.Have))
}

// quote quotes a text for an error message and shortens it.
func quote(s string) string {
	if utf8.RuneCountInString(s) > 60 {
		return strconv.Quote(string([]rune(s)[:60])) + "…"
	}
	return strconv.Quote(s)
}

// Content returns what an element holds, so that a later [Bus.Write] can restore it. ok is false if the
// element holds nothing that can be read, or more than is read at once.
func (b *Bus) Content(ctx context.Context, t Target) (text string, ok bool, err error) {
	f, err := b.refresh(ctx, t)
	if err != nil || f.interfaces&(InterfaceText|InterfaceValue) == 0 {
		return "", false, err
	}
	if _, _, err := f.window(ctx); err != nil { // is it part of a password field?
		return "", false, err
	}
	if f.counts() {
		n, err := f.number(ctx, "CurrentValue")
		return strconv.FormatFloat(n, 'g', -1, 64), err == nil, err
	}
	text, err = f.content(ctx)
	return text, err == nil && utf8.RuneCountInString(text) < wholeText, err
}

// wholeText is how many characters of an element are read at most.
const wholeText = 1 << 20

// content reads the text or the value of a target.
func (f *fresh) content(ctx context.Context) (string, error) {
	switch {
	case f.Secure:
		return "", &SecretError{}
	case f.interfaces&InterfaceText != 0:
		v, err := f.b.property(ctx, f.Ref, textIface, "CharacterCount")
		if err != nil {
			return "", err
		}
		count, _ := v.(int32)
		if count <= 0 {
			return "", nil
		}
		var text string
		err = f.b.call(ctx, f.Ref, textIface+".GetText", []any{int32(0), min(count, wholeText)}, &text)
		return text, err
	case f.interfaces&InterfaceValue != 0:
		v, err := f.b.property(ctx, f.Ref, valueIface, "CurrentValue")
		if err != nil {
			return "", err
		}
		n, _ := v.(float64)
		return strconv.FormatFloat(n, 'g', -1, 64), nil
	}
	return "", nil
}

// Write replaces the content of an element and reads it back. It uses the application's method for
// setting text, or its value, or else the keyboard focus and Paste. It refuses password fields and
// terminals, because a terminal executes what it is given.
func (b *Bus) Write(ctx context.Context, t Target, x Expect, text string) (*element.Element, error) {
	f, err := b.verify(ctx, t)
	if err != nil {
		return nil, err
	}
	if err := x.check(f); err != nil {
		return nil, err
	}
	number, numeric := strconv.ParseFloat(strings.TrimSpace(text), 64)
	switch {
	case f.Role == RoleTerminal.String():
		return nil, &RefusedError{f.String(), "is a terminal, which runs what is written; use the shell tool"}
	case f.states.Has(StateReadOnly) && !f.states.Has(StateEditable):
		return nil, &RefusedError{f.String(), "can't be edited"}
	case f.counts() && numeric == nil:
		err = f.setValue(ctx, number)
	case f.interfaces&InterfaceEditable != 0 && f.states.Has(StateEditable):
		err = f.setText(ctx, text)
	case f.interfaces&InterfaceValue != 0 && numeric == nil:
		err = f.setValue(ctx, number)
	case f.interfaces&InterfaceValue != 0 && f.interfaces&InterfaceText == 0:
		return nil, &RefusedError{f.String(), fmt.Sprintf("holds a number, and %s is none", quote(text))}
	case f.states.Has(StateEditable):
		err = f.paste(ctx, text)
	default:
		return nil, &RefusedError{f.String(), "can't be edited"}
	}
	if err != nil {
		return nil, err
	}
	if e := f.elementAfter(ctx); e != nil {
		return e, nil
	}
	// The text was read back before. Then the element closed, as the editor of a table's cell does, or its
	// application became busy.
	e := f.element()
	e.ID, e.Text = b.known.id(f.Target), text
	return &e, nil
}

// counts reports whether an element is a number with a text. The text alone changes the number only when
// the focus leaves the element, in GTK.
func (f *fresh) counts() bool {
	return f.Role == RoleSpinButton.String() && f.interfaces&InterfaceValue != 0
}

func (f *fresh) setText(ctx context.Context, text string) error {
	var done bool
	if err := f.b.call(ctx, f.Ref, editableIface+".SetTextContents", []any{text}, &done); err != nil {
		return err
	}
	return f.await(ctx, text)
}

func (f *fresh) setValue(ctx context.Context, value float64) error {
	low, err := f.number(ctx, "MinimumValue")
	if err != nil {
		return err
	}
	high, err := f.number(ctx, "MaximumValue")
	if err != nil {
		return err
	}
	if low < high && (value < low || value > high) {
		return &RefusedError{f.String(), fmt.Sprintf("holds numbers from %v to %v; %v is outside", low, high, value)}
	}
	if err := f.b.call(ctx, f.Ref, propertiesIface+".Set", []any{valueIface, "CurrentValue", variant(value)}); err != nil {
		return err
	}
	var have float64
	err = poll(ctx, func() (bool, error) {
		have, err = f.number(ctx, "CurrentValue")
		return have == value, err
	})
	if err == nil && have != value {
		return &NotWrittenError{f.String(), fmt.Sprint(value), fmt.Sprint(have)}
	}
	return err
}

func (f *fresh) number(ctx context.Context, name string) (float64, error) {
	v, err := f.b.property(ctx, f.Ref, valueIface, name)
	n, _ := v.(float64)
	return n, err
}

// paste focuses the element and replaces its text with Options.Paste.
func (f *fresh) paste(ctx context.Context, text string) error {
	if f.b.opts.Paste == nil {
		return &RefusedError{f.String(), "has no function for writing, and there is no keyboard to paste with"}
	}
	if err := f.focus(ctx); err != nil {
		return err
	}
	focused := false
	err := poll(ctx, func() (bool, error) {
		var words []uint32
		err := f.b.call(ctx, f.Ref, accessibleIface+".GetState", nil, &words)
		focused = statesOf(words).Has(StateFocused)
		return focused, err
	})
	if err != nil {
		return err
	}
	if !focused {
		return &RefusedError{f.String(), "did not take the focus, so nothing was pasted; bring its window to the front first"}
	}
	if err := f.b.opts.Paste(ctx, text); err != nil {
		return fmt.Errorf("pasting into %s: %w", f, err)
	}
	return f.await(ctx, text)
}

// await reads the text back until it is what was written.
func (f *fresh) await(ctx context.Context, text string) error {
	var have string
	err := poll(ctx, func() (bool, error) {
		var err error
		have, err = f.content(ctx)
		return sameText(text, have), err
	})
	switch {
	case err != nil:
		return fmt.Errorf("%s may hold the text now, but it cannot be read back, so look before you write again: %w", f, err)
	case !sameText(text, have):
		return &NotWrittenError{f.String(), text, have}
	}
	return nil
}

// sameText compares a text with the text that an element shows. Chromium adds an empty line to the end
// of a text area.
func sameText(want, have string) bool {
	return want == have || want == strings.TrimSuffix(have, "\n") || strings.ReplaceAll(want, "\r\n", "\n") == have
}

// settle is how long an application may take to show what was written.
const settle = time.Second

// poll repeats a check until it is done, fails, or [settle] has passed, which is not an error.
func poll(ctx context.Context, check func() (bool, error)) error {
	limit := time.NewTimer(settle)
	defer limit.Stop()
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		if done, err := check(); done || err != nil {
			return err
		}
		select {
		case <-limit.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}
