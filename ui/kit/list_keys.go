package kit

import "fyne.io/fyne/v2"

// A roll can have the focus, for its keys.

func (r *List) FocusGained()   { r.focus(true) }
func (r *List) FocusLost()     { r.focus(false) }
func (r *List) TypedRune(rune) {}

func (r *List) TypedShortcut(s fyne.Shortcut) {
	if r.OnShortcut == nil || !r.OnShortcut(s) {
		PassShortcut(r, s)
	}
}

// Disabled makes Tab pass over rows that keys can do nothing with.
func (r *List) Disabled() bool {
	return r.OnKey == nil && r.total() <= float64(r.Size().Height)+0.5
}

func (r *List) Enable()  {}
func (r *List) Disable() {}

// focus shows at the bar that keys scroll.
func (r *List) focus(on bool) {
	r.Bar.Hovered = on
	r.Bar.Refresh()
	if on {
		ScrollIntoView(r.Root)
	}
	if r.OnFocus != nil {
		r.OnFocus(on)
	}
}

func (r *List) TypedKey(e *fyne.KeyEvent) {
	if r.OnKey != nil && r.OnKey(e) {
		return
	}
	page := float64(r.Size().Height) - float64(r.height)
	switch e.Name {
	case fyne.KeyUp:
		r.ScrollTo(r.Offset - float64(r.height))
	case fyne.KeyDown:
		r.ScrollTo(r.Offset + float64(r.height))
	case fyne.KeyPageUp:
		r.ScrollTo(r.Offset - page)
	case fyne.KeyPageDown, fyne.KeySpace:
		r.ScrollTo(r.Offset + page)
	case fyne.KeyHome:
		r.ScrollTo(0)
	case fyne.KeyEnd:
		r.ScrollTo(r.total())
	default:
		PassKey(r, e)
	}
}
