package virtual

import (
	"fyne.io/fyne/v2"

	"goated/ui/kit"
)

func (l *List) FocusGained()   { l.focus(true) }
func (l *List) FocusLost()     { l.focus(false) }
func (l *List) TypedRune(rune) {}

func (l *List) TypedShortcut(s fyne.Shortcut) {
	if l.OnShortcut == nil || !l.OnShortcut(s) {
		kit.PassShortcut(l, s)
	}
}

// Disabled removes a list from the tab order if it does not handle keys and does not scroll.
func (l *List) Disabled() bool {
	return l.OnKey == nil && l.total() <= float64(l.Size().Height)+0.5
}

func (l *List) Enable()  {}
func (l *List) Disable() {}

// focus highlights the scroll bar while the list has the focus.
func (l *List) focus(on bool) {
	l.Bar.Hovered = on
	l.Bar.Refresh()
	if on {
		kit.ScrollIntoView(l.Root, l.Root)
	}
	if l.OnFocus != nil {
		l.OnFocus(on)
	}
}

func (l *List) TypedKey(e *fyne.KeyEvent) {
	if l.OnKey != nil && l.OnKey(e) {
		return
	}
	page := float64(l.Size().Height) - float64(l.rows.height)
	switch e.Name {
	case fyne.KeyUp:
		l.ScrollTo(l.Offset - float64(l.rows.height))
	case fyne.KeyDown:
		l.ScrollTo(l.Offset + float64(l.rows.height))
	case fyne.KeyPageUp:
		l.ScrollTo(l.Offset - page)
	case fyne.KeyPageDown, fyne.KeySpace:
		l.ScrollTo(l.Offset + page)
	case fyne.KeyHome:
		l.ScrollTo(0)
	case fyne.KeyEnd:
		l.ScrollTo(l.total())
	default:
		kit.PassKey(l, e)
	}
}
