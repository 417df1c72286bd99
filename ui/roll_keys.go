package ui

import "fyne.io/fyne/v2"

// A roll can have the focus, for its keys.

func (r *roll) FocusGained()   { r.focus(true) }
func (r *roll) FocusLost()     { r.focus(false) }
func (r *roll) TypedRune(rune) {}

func (r *roll) TypedShortcut(s fyne.Shortcut) {
	if r.OnShortcut == nil || !r.OnShortcut(s) {
		passShortcut(r, s)
	}
}

// Disabled makes Tab pass over rows that keys can do nothing with.
func (r *roll) Disabled() bool {
	return r.OnKey == nil && r.total() <= float64(r.Size().Height)+0.5
}

func (r *roll) Enable()  {}
func (r *roll) Disable() {}

// focus shows at the bar that keys scroll.
func (r *roll) focus(on bool) {
	r.bar.hovered = on
	r.bar.Refresh()
	if on {
		bring(r.root)
	}
	if r.OnFocus != nil {
		r.OnFocus(on)
	}
}

func (r *roll) TypedKey(e *fyne.KeyEvent) {
	if r.OnKey != nil && r.OnKey(e) {
		return
	}
	page := float64(r.Size().Height) - float64(r.height)
	switch e.Name {
	case fyne.KeyUp:
		r.scrollTo(r.offset - float64(r.height))
	case fyne.KeyDown:
		r.scrollTo(r.offset + float64(r.height))
	case fyne.KeyPageUp:
		r.scrollTo(r.offset - page)
	case fyne.KeyPageDown, fyne.KeySpace:
		r.scrollTo(r.offset + page)
	case fyne.KeyHome:
		r.scrollTo(0)
	case fyne.KeyEnd:
		r.scrollTo(r.total())
	default:
		passKey(r, e)
	}
}
