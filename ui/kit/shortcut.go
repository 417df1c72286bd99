package kit

import (
	"runtime"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// A Shortcut is a key with modifiers. A shortcut without a modifier is a function key. The zero
// value means no shortcut.
type Shortcut struct {
	Key      fyne.KeyName
	Modifier fyne.KeyModifier
}

// ModKey returns the shortcut of a key with the platform's modifier: Command on macOS, and Ctrl
// elsewhere.
func ModKey(key fyne.KeyName) Shortcut { return Shortcut{key, fyne.KeyModifierShortcutDefault} }

func (s Shortcut) Shifted() Shortcut { s.Modifier |= fyne.KeyModifierShift; return s }

// keys returns the names of the keys as they are printed on keyboards.
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

// Bind makes the canvas call f on the shortcut. It ignores a key without a modifier, because Fyne
// does not treat it as a shortcut. The window handles such keys.
func (s Shortcut) Bind(c fyne.Canvas, f func()) {
	if s.Key != "" && s.Modifier != 0 {
		c.AddShortcut(&desktop.CustomShortcut{KeyName: s.Key, Modifier: s.Modifier}, func(fyne.Shortcut) { f() })
	}
}

// NewKeyCaps draws a shortcut as key caps.
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
