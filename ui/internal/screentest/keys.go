package screentest

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// Type types text where the focus is.
func (s *Screen) Type(text string) {
	s.T.Helper()
	o := s.Canvas().Focused()
	if o == nil {
		s.T.Fatalf("nothing has the focus to type %q", text)
	}
	for _, r := range text {
		o.TypedRune(r)
	}
}

// Key presses a key as Fyne's desktop driver does: Tab moves the focus, other
// keys go to what has the focus or to the window.
func (s *Screen) Key(name fyne.KeyName) {
	c := s.Canvas()
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
func (s *Screen) ShiftKey(name fyne.KeyName) {
	shift := &fyne.KeyEvent{Name: desktop.KeyShiftLeft}
	o := s.Canvas().Focused()
	if k, ok := o.(desktop.Keyable); ok {
		k.KeyDown(shift)
		defer k.KeyUp(shift)
	}
	s.Key(name)
}

// Shortcut presses a key with modifiers. Copy, paste, cut and "select all" are
// the clipboard's, as in Fyne's desktop driver.
func (s *Screen) Shortcut(name fyne.KeyName, m fyne.KeyModifier) {
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
	if o, ok := s.Canvas().Focused().(fyne.Shortcutable); ok {
		o.TypedShortcut(k)
		return
	}
	if c, ok := s.Canvas().(fyne.Shortcutable); ok {
		c.TypedShortcut(k)
	}
}

// Ctrl presses a key with the modifier of the system's shortcuts.
func (s *Screen) Ctrl(name fyne.KeyName) { s.Shortcut(name, fyne.KeyModifierShortcutDefault) }

// Paste puts text on the clipboard and pastes it where the focus is.
func (s *Screen) Paste(text string) {
	fyne.CurrentApp().Clipboard().SetContent(text)
	s.Ctrl(fyne.KeyV)
}

// Clipboard is what was copied last.
func (s *Screen) Clipboard() string { return fyne.CurrentApp().Clipboard().Content() }

// Focus is the text of what has the focus: of a button its text, of a field its
// hint. It is empty where nothing has the focus, or nothing that says what it is.
func (s *Screen) Focus() string {
	o, ok := s.Canvas().Focused().(fyne.CanvasObject)
	if !ok {
		return ""
	}
	n := s.find(0, func(n *node) bool { return n.object == o })
	if n == nil {
		return ""
	}
	if hint, ok := n.field(); ok {
		return hint
	}
	text, _ := n.text()
	return text
}

// FocusOn moves the focus to what shows text, as Tab does.
func (s *Screen) FocusOn(text string, nth ...int) {
	s.T.Helper()
	s.focusOne(text, is(text), first(nth))
}

// FocusIcon moves the focus to the nth icon that can be pressed.
func (s *Screen) FocusIcon(name string, nth ...int) {
	s.T.Helper()
	s.focusOne("icon "+name, func(n *node) bool { return iconOf(n) == name }, first(nth))
}

func (s *Screen) focusOne(what string, ok func(*node) bool, nth int) {
	s.T.Helper()
	n := s.find(nth, func(n *node) bool { return ok(n) && s.taps(n) != nil })
	if n == nil {
		s.T.Fatalf("there is no %s to have the focus; the screen shows %q", what, s.Texts())
	}
	o, is := s.taps(n).(fyne.Focusable)
	if !is {
		s.T.Fatalf("%s can't have the focus", what)
	}
	s.Canvas().Focus(o)
}

// FocusIsOn reports whether the focus is on what shows text: the text is a part
// of it or lies on it.
func (s *Screen) FocusIsOn(text string) bool { return s.focusHolds(is(text)) }

// FocusIsOnIcon is FocusIsOn for an icon.
func (s *Screen) FocusIsOnIcon(name string) bool {
	return s.focusHolds(func(n *node) bool { return iconOf(n) == name })
}

func (s *Screen) focusHolds(ok func(*node) bool) bool {
	o, focused := s.Canvas().Focused().(fyne.CanvasObject)
	return focused && s.find(0, func(n *node) bool { return ok(n) && s.taps(n) == o }) != nil
}

// FocusTree moves the focus to the first thing of the top layer that takes keys
// and is neither a field nor pressed, such as a tree.
func (s *Screen) FocusTree() {
	s.T.Helper()
	n := s.find(0, func(n *node) bool {
		_, focusable := n.object.(fyne.Focusable)
		_, tappable := n.object.(fyne.Tappable)
		_, mouse := n.object.(desktop.Mouseable)
		_, field := n.field()
		return focusable && !tappable && !mouse && !field
	})
	if n == nil {
		s.T.Fatalf("there is no tree on the screen, but %q", s.Texts())
	}
	s.Canvas().Focus(n.object.(fyne.Focusable))
}
