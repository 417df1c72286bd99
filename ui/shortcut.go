package ui

import (
	"runtime"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// A shortcut is a key with the modifiers that must be held. Without a modifier
// it is a function key. The zero value is none.
type shortcut struct {
	key      fyne.KeyName
	modifier fyne.KeyModifier
}

// held is a letter with the system's own modifier: Ctrl, or Command on a Mac.
func held(key fyne.KeyName) shortcut { return shortcut{key, fyne.KeyModifierShortcutDefault} }

func (s shortcut) shifted() shortcut { s.modifier |= fyne.KeyModifierShift; return s }

// keys are the names of its keys, as they are printed on them.
func (s shortcut) keys() []string {
	if s.key == "" {
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
		case s.modifier&m.modifier == 0:
		case runtime.GOOS == "darwin":
			keys = append(keys, m.mac)
		default:
			keys = append(keys, m.name)
		}
	}
	switch s.key {
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
	return append(keys, string(s.key))
}

func (s shortcut) String() string { return strings.Join(s.keys(), "+") }

// bind has the canvas run f on a shortcut. A key alone is no shortcut to Fyne;
// see [Window.typed].
func (s shortcut) bind(c fyne.Canvas, f func()) {
	if s.key != "" && s.modifier != 0 {
		c.AddShortcut(&desktop.CustomShortcut{KeyName: s.key, Modifier: s.modifier}, func(fyne.Shortcut) { f() })
	}
}

// newKeys draws a shortcut as the keys that it is.
func newKeys(s shortcut) *fyne.Container {
	var caps []fyne.CanvasObject
	for _, k := range s.keys() {
		word := newLabel(k, 11, colorMuted).medium()
		word.centre = true
		width := max(22, word.MinSize().Width+12)
		caps = append(caps, sized(width, 22, boxed(newPanel(colorSunken, colorBorder, 6), margin{}, word)))
	}
	return horizontal(4, nil, caps...)
}
