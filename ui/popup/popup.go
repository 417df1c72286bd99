// Package popup shows menus in the window's design: at the pointer, below a button, and for the
// keyboard. A menu receives all input until it closes.
//
// It owns the open menu. It must not depend on what the items do.
package popup

import (
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
)

// An Item is a line of a menu. The zero Item separates groups.
type Item struct {
	ID       any // identifies the item for [Menu.Set]; nil: its position does
	Text     string
	Detail   string       // a second line; empty: none
	Note     string       // at the right of Text, for example a time; only with Detail
	Icon     string       // the name of an icon in package assets; empty: none
	Keys     kit.Shortcut // the shortcut for the same action; zero: none
	Checked  bool
	Disabled bool
	Danger   bool // it deletes something
	Do       func()
}

// The sizes of a menu. Its rows are as high as the rows of actions in the model menu.
const (
	rowHeight    = 34
	detailHeight = 50 // for a row with a second line, as in the list of conversations
	gapHeight    = 9
	padding      = 6
	leastWidth   = 180
	maxWidth     = 420
	detailWidth  = 460 // for a menu with second lines
	edge         = 8   // the minimal distance to the edge of the window
)

// Show opens a menu with its upper left corner at a position on the canvas, or where there is
// room. Esc, a press beside the menu, or a press on an item closes it. The focus then returns.
// Show returns the function that closes the menu.
func Show(c fyne.Canvas, at fyne.Position, items ...Item) (hide func()) {
	return show(c, &place{at: at}, nil, items).Hide
}

// tidy removes separators at the ends, and repeated separators.
func tidy(items []Item) (out []Item) {
	for _, i := range items {
		gap := i.Text == ""
		if gap && (len(out) == 0 || out[len(out)-1].Text == "") {
			continue
		}
		out = append(out, i)
	}
	for len(out) > 0 && out[len(out)-1].Text == "" {
		out = out[:len(out)-1]
	}
	return out
}

// column stacks the rows of a menu.
type column struct{}

func (column) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	y := float32(0)
	for _, o := range objects {
		h := o.MinSize().Height
		kit.Place(o, 0, y, size.Width, h)
		y += h
	}
}

func (column) MinSize(objects []fyne.CanvasObject) (size fyne.Size) {
	for _, o := range objects {
		m := o.MinSize()
		size.Width = max(size.Width, m.Width)
		size.Height += m.Height
	}
	return size
}

// A shade is the rest of the window. A press on it, with either button, closes the menu.
type shade struct {
	*kit.Blocker
	hide func()
}

func newShade(hide func()) *shade {
	s := &shade{hide: hide}
	s.Blocker = kit.NewBlocker(hide)
	s.ExtendBaseWidget(s)
	return s
}

func (s *shade) TappedSecondary(*fyne.PointEvent) { s.hide() }

// A list handles the keyboard for an open menu. It draws nothing, and is below the rows, because
// Fyne sends a press to the topmost focusable object.
type list struct {
	widget.BaseWidget
	items  []Item
	rows   []*row
	chosen int // -1: none
	hide   func()
}

func (l *list) usable(i int) bool { return l.items[i].Text != "" && !l.items[i].Disabled }

// choose moves the mark to an item; -1 removes the mark.
func (l *list) choose(i int) {
	if i == l.chosen {
		return
	}
	old := l.chosen
	l.chosen = i
	for _, at := range []int{old, i} {
		if at >= 0 {
			l.rows[at].Refresh()
		}
	}
}

// step marks the next (+1) or previous (-1) enabled item, starting from another item.
func (l *list) step(from, by int) {
	n := len(l.items)
	for range n {
		if from += by; from < 0 || from >= n {
			from = (from + n) % n
		}
		if l.usable(from) {
			l.choose(from)
			return
		}
	}
}

// do closes the menu and runs an item.
func (l *list) do(i int) {
	if i < 0 || !l.usable(i) {
		return
	}
	l.hide()
	if f := l.items[i].Do; f != nil {
		f()
	}
}

func (l *list) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyDown:
		l.step(l.chosen, 1)
	case fyne.KeyUp:
		l.step(max(l.chosen, 0), -1)
	case fyne.KeyHome, fyne.KeyPageUp:
		l.step(-1, 1)
	case fyne.KeyEnd, fyne.KeyPageDown:
		l.step(len(l.items), -1)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		l.do(l.chosen)
	case fyne.KeyEscape, desktop.KeyMenu:
		l.hide()
	}
}

// TypedRune marks the next item that begins with the letter.
func (l *list) TypedRune(r rune) {
	for n := range l.items {
		i := (l.chosen + 1 + n) % len(l.items)
		if l.usable(i) && unicode.ToLower([]rune(l.items[i].Text)[0]) == unicode.ToLower(r) {
			l.choose(i)
			return
		}
	}
}

// AcceptsTab keeps the focus in the menu.
func (l *list) AcceptsTab() bool { return true }
func (l *list) FocusGained()     {}
func (l *list) FocusLost()       {}

func (l *list) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewWithoutLayout())
}
