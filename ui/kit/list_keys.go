package kit

import "fyne.io/fyne/v2"

func (r *List) FocusGained()   { r.focus(true) }
func (r *List) FocusLost()     { r.focus(false) }
func (r *List) TypedRune(rune) {}

func (r *List) TypedShortcut(s fyne.Shortcut) {
	if r.OnShortcut == nil || !r.OnShortcut(s) {
		PassShortcut(r, s)
	}
}

// Disabled removes a list from the tab order if it handles no keys and does not
// scroll.
func (r *List) Disabled() bool {
	return r.OnKey == nil && r.total() <= float64(r.Size().Height)+0.5
}

func (r *List) Enable()  {}
func (r *List) Disable() {}

// focus highlights the bar while the list has the focus.
func (r *List) focus(on bool) {
	r.Bar.Hovered = on
	r.Bar.Refresh()
	if on {
		ScrollIntoView(r.Root, r.Root)
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
