package screentest

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// Type types text into the object that has the focus.
func (kb *Keyboard) Type(text string) {
	kb.T.Helper()
	o := kb.Canvas().Focused()
	if o == nil {
		kb.T.Fatalf("nothing has the focus to type %q", text)
	}
	for _, r := range text {
		o.TypedRune(r)
	}
}

// TypeRune types a character like Fyne's desktop driver. The character goes to the object that
// has the focus, or to the window.
func (kb *Keyboard) TypeRune(r rune) {
	c := kb.Canvas()
	switch o := c.Focused(); {
	case o != nil:
		o.TypedRune(r)
	case c.OnTypedRune() != nil:
		c.OnTypedRune()(r)
	}
}

// Key presses a key like Fyne's desktop driver. Tab moves the focus. Other keys go to the
// object that has the focus, or to the window.
func (kb *Keyboard) Key(name fyne.KeyName) {
	c := kb.Canvas()
	o := c.Focused()
	if name == fyne.KeyTab {
		if t, ok := o.(fyne.Tabbable); !ok || !t.AcceptsTab() {
			c.FocusNext()
			return
		}
	}
	e := &fyne.KeyEvent{Name: name}
	switch {
	case o != nil:
		o.TypedKey(e)
	case c.OnTypedKey() != nil:
		c.OnTypedKey()(e)
	}
}

// ShiftKey presses a key while Shift is held.
func (kb *Keyboard) ShiftKey(name fyne.KeyName) {
	shift := &fyne.KeyEvent{Name: desktop.KeyShiftLeft}
	o := kb.Canvas().Focused()
	if k, ok := o.(desktop.Keyable); ok {
		k.KeyDown(shift)
		defer k.KeyUp(shift)
	}
	kb.Key(name)
}

// Shortcut presses a key with modifiers. Copy, paste, cut and "select all" use the clipboard,
// as in Fyne's desktop driver.
func (kb *Keyboard) Shortcut(name fyne.KeyName, m fyne.KeyModifier) {
	var k fyne.Shortcut = &desktop.CustomShortcut{KeyName: name, Modifier: m}
	clip := fyne.CurrentApp().Clipboard()
	if m == fyne.KeyModifierShortcutDefault {
		switch name {
		case fyne.KeyC:
			k = &fyne.ShortcutCopy{Clipboard: clip}
		case fyne.KeyV:
			k = &fyne.ShortcutPaste{Clipboard: clip}
		case fyne.KeyX:
			k = &fyne.ShortcutCut{Clipboard: clip}
		case fyne.KeyA:
			k = &fyne.ShortcutSelectAll{}
		}
	}
	if o, ok := kb.Canvas().Focused().(fyne.Shortcutable); ok {
		o.TypedShortcut(k)
		return
	}
	if c, ok := kb.Canvas().(fyne.Shortcutable); ok {
		c.TypedShortcut(k)
	}
}

// Ctrl presses a key with the modifier of the system's shortcuts, such as Ctrl.
func (kb *Keyboard) Ctrl(name fyne.KeyName) { kb.Shortcut(name, fyne.KeyModifierShortcutDefault) }

// Paste puts text on the clipboard and pastes it into the object that has the focus.
func (kb *Keyboard) Paste(text string) {
	fyne.CurrentApp().Clipboard().SetContent(text)
	kb.Ctrl(fyne.KeyV)
}

// Insert pastes text into the object that has the focus. It preserves the contents of the
// clipboard.
func (kb *Keyboard) Insert(text string) {
	before := kb.Clipboard()
	kb.Paste(text)
	fyne.CurrentApp().Clipboard().SetContent(before)
}

// Clipboard returns the text on the clipboard.
func (kb *Keyboard) Clipboard() string { return fyne.CurrentApp().Clipboard().Content() }

// Focus returns the text of the object that has the focus, or the hint if it is a field. It
// returns "" if nothing has the focus or if the object has no text.
func (kb *Keyboard) Focus() string {
	o, ok := kb.Canvas().Focused().(fyne.CanvasObject)
	if !ok {
		return ""
	}
	n := kb.find(0, func(n *node) bool { return n.object == o })
	if n == nil {
		return ""
	}
	if hint, ok := n.field(); ok {
		return hint
	}
	text, _ := n.text()
	return text
}

// FocusOn moves the focus to the object that shows text, like Tab does.
func (kb *Keyboard) FocusOn(text string, nth ...int) {
	kb.T.Helper()
	kb.focusOne(text, is(text), first(nth))
}

// FocusIcon moves the focus to the nth pressable icon with that name.
func (kb *Keyboard) FocusIcon(name string, nth ...int) {
	kb.T.Helper()
	kb.focusOne("icon "+name, func(n *node) bool { return iconOf(n) == name }, first(nth))
}

func (kb *Keyboard) focusOne(what string, ok func(*node) bool, nth int) {
	kb.T.Helper()
	n := kb.find(nth, func(n *node) bool { return ok(n) && kb.taps(n) != nil })
	if n == nil {
		kb.T.Fatalf("there is no %s to have the focus; the screen shows %q", what, kb.Texts())
	}
	o, is := kb.taps(n).(fyne.Focusable)
	if !is {
		kb.T.Fatalf("%s can't have the focus", what)
	}
	kb.Canvas().Focus(o)
}

// FocusIsOn reports whether the focus is on the object that shows text. The text may be part of
// the object or lie above it.
func (kb *Keyboard) FocusIsOn(text string) bool { return kb.focusHolds(is(text)) }

// FocusIsOnIcon is like FocusIsOn for an icon.
func (kb *Keyboard) FocusIsOnIcon(name string) bool {
	return kb.focusHolds(func(n *node) bool { return iconOf(n) == name })
}

func (kb *Keyboard) focusHolds(ok func(*node) bool) bool {
	o, focused := kb.Canvas().Focused().(fyne.CanvasObject)
	return focused && kb.find(0, func(n *node) bool { return ok(n) && kb.taps(n) == o }) != nil
}

// FocusTree moves the focus to the first object of the top layer that takes keys and is neither
// a field nor pressable, such as a tree.
func (kb *Keyboard) FocusTree() {
	kb.T.Helper()
	n := kb.find(0, func(n *node) bool {
		_, focusable := n.object.(fyne.Focusable)
		_, tappable := n.object.(fyne.Tappable)
		_, mouse := n.object.(desktop.Mouseable)
		_, field := n.field()
		return focusable && !tappable && !mouse && !field
	})
	if n == nil {
		kb.T.Fatalf("there is no tree on the screen, but %q", kb.Texts())
	}
	kb.Canvas().Focus(n.object.(fyne.Focusable))
}
