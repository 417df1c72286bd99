package backend

import (
	"context"
	"fmt"
	"time"

	"goated/servers/desktop/apps"
	"goated/servers/desktop/fault"
	"goated/servers/desktop/inputaction"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/portal/keyboard"
	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/input"
)

// action checks an input action and returns the function that performs it.
func (w *wayland) action(a *pb.InputAction) (func(context.Context) error, error) {
	switch v := a.GetInputType().(type) {
	case *pb.InputAction_TypeText:
		text := v.TypeText.GetText()
		if text == "" {
			return nil, fault.Invalid("the text is empty")
		}
		delay, err := inputaction.Seconds("a char_delay", v.TypeText.GetCharDelay())
		if err != nil {
			return nil, err
		}
		syms, err := input.Keysyms(text)
		return func(ctx context.Context) error {
			return w.keys(ctx, func(k *keyboard.Keyboard) error { return k.Type(ctx, syms, delay) })
		}, fault.Status(err)
	case *pb.InputAction_PressKey:
		names, err := inputaction.Modifiers(v.PressKey.GetModifiers())
		hold, err2 := inputaction.Seconds("a hold_duration", v.PressKey.GetHoldDuration())
		sym, held, err3 := input.Chord(v.PressKey.GetKey(), names...)
		modifiers, key, _ := input.Canonical(v.PressKey.GetKey(), names...) // its error is err3
		return func(ctx context.Context) error {
			if err := w.c.guard.Chord(modifiers, key); err != nil {
				return err
			}
			return w.keys(ctx, func(k *keyboard.Keyboard) error { return k.Chord(ctx, sym, held, hold) })
		}, firstError(err, err2, fault.Status(err3))
	case nil:
		return nil, fault.Invalid("the action is missing: give type_text or press_key")
	}
	return nil, errPointer
}

// keys presses keys if the session has a portal for them.
func (w *wayland) keys(ctx context.Context, press func(*keyboard.Keyboard) error) error {
	if _, err := w.portals(); err != nil {
		return err
	}
	return withPortalAdvice(press(w.keyboard))
}

// Focus is part of keyboard.Guard.
func (w *wayland) Focus(ctx context.Context) bool { _, ok, _ := w.Focused(ctx); return ok }

// Moved is part of keyboard.Guard. It waits until the focused program is idle. Until then, the
// program still reports the previous element as focused.
func (w *wayland) Moved(ctx context.Context, limit time.Duration) (bool, error) {
	defer w.c.access.Forget()
	f, ok, err := w.Focused(ctx)
	if err != nil || !ok {
		return true, context.Cause(ctx) // the next key reports why it is refused
	}
	return apps.WaitIdle(ctx, f.PID, limit)
}

// Keys is part of keyboard.Guard. It refuses a key that would reach goated, a password field, a
// terminal, or a process other than the expected one.
func (w *wayland) Keys(ctx context.Context) error {
	if err := w.c.guard.Keys(ctx); err != nil {
		return err
	}
	pid, ok := ctx.Value(expectedKey{}).(int)
	if !ok {
		return nil
	}
	f, _, err := w.Focused(ctx)
	if err == nil && f.PID != pid {
		err = fmt.Errorf("%w: the window %q of %s (process %d) receives the keys, and not process %d: ask the user to click its window, or write into its element", x11.ErrRefused, f.Title, f.Class, f.PID, pid)
	}
	return err
}
