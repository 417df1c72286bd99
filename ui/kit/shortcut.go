package kit

import (
	"runtime"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// A Shortcut is a key with the modifiers that must be held. Without a modifier
// it is a function key. The zero value is none.
type Shortcut struct {
	Key      fyne.KeyName
	Modifier fyne.KeyModifier
}

// ModKey is a letter with the system's own modifier: Ctrl, or Command on a Mac.
func ModKey(key fyne.KeyName) Shortcut { return Shortcut{key, fyne.KeyModifierShortcutDefault} }

func (s Shortcut) Shifted() Shortcut { s.Modifier |= fyne.KeyModifierShift; return s }

// keys are the names of its keys, as they are printed on them.
func (s Shortcut) keys() []string {
	if s.Key == "" {
		return nil
	}
	var keys []string
	for _, m := range []struct {
		modifier  fyne.KeyModifier
		name, mac string
	}{
		{fyne.KeyModifierControl, "Ctrl", "⌃"},
		{fyne.KeyModifierAlt, "Alt", "⌥"},
		{fyne.KeyModifierShift, "Shift", "⇧"},
		{fyne.KeyModifierSuper, "Super", "⌘"},
	} {
		switch {
		case s.Modifier&m.modifier == 0:
		case runtime.GOOS == "darwin":
			keys = append(keys, m.mac)
		default:
			keys = append(keys, m.name)
		}
	}
	switch s.Key {
	case fyne.KeyEqual:
		return append(keys, "+")
	case fyne.KeyEscape:
		return append(keys, "Esc")
	case fyne.KeyUp:
		return append(keys, "↑")
	case fyne.KeyDown:
		return append(keys, "↓")
	case fyne.KeyReturn:
		return append(keys, "Enter")
	case fyne.KeyTab:
		return append(keys, "Tab")
	case fyne.KeySpace:
		return append(keys, "Space")
	case fyne.KeyDelete:
		return append(keys, "Del")
	case fyne.KeyPageUp:
		return append(keys, "PgUp")
	case fyne.KeyPageDown:
		return append(keys, "PgDn")
	}
	return append(keys, string(s.Key))
}

func (s Shortcut) String() string { return strings.Join(s.keys(), "+") }

// Bind has the canvas run f on a shortcut. A key alone is no shortcut to Fyne;
// see [Window.typed].
func (s Shortcut) Bind(c fyne.Canvas, f func()) {
	if s.Key != "" && s.Modifier != 0 {
		c.AddShortcut(&desktop.CustomShortcut{KeyName: s.Key, Modifier: s.Modifier}, func(fyne.Shortcut) { f() })
	}
}

// NewKeyCaps draws a shortcut as the keys that it is.
func NewKeyCaps(s Shortcut) *fyne.Container {
	var caps []fyne.CanvasObject
	for _, k := range s.keys() {
		word := NewLabel(k, 11, ColorMuted).Medium()
		word.Centre = true
		width := max(22, word.MinSize().Width+12)
		caps = append(caps, Sized(width, 22, Boxed(NewPanel(ColorSunken, ColorBorder, 6), Margin{}, word)))
	}
	return Horizontal(4, nil, caps...)
}
