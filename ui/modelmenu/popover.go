// Package modelmenu draws what belongs to the model of a conversation: the menu of models, the
// user's instructions, the meter of the context, and the bar that counts down to the next attempt
// of a request.
//
// It owns the look and the keys of these parts. It must not depend on conversations or the
// settings: the window passes it values and functions. Everything belongs to the UI goroutine.
package modelmenu

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
)

// popover returns a sheet that hangs below an object, without a scrim. The head and the footer
// are always visible, and the body scrolls. A press beside the sheet closes it.
func popover(anchor fyne.CanvasObject, right bool, width float32, head, body, foot fyne.CanvasObject) *kit.Sheet {
	s := &kit.Sheet{Slot: container.New(kit.Margin{})}
	s.Body = kit.NewScroller(body)
	ground := kit.NewPanel(kit.ColorSurface, kit.ColorHair, 12)
	ground.Shadow = true
	inner := container.New(&kit.Stacked{Head: head, Body: s.Body.Root, Foot: foot}, head, s.Body.Root, foot)
	card := container.New(kit.Margin{}, ground, kit.NewBlocker(nil), inner)
	s.Page = container.New(&hanging{anchor: anchor, right: right, width: width, inner: inner, card: card}, card)
	s.Root = container.New(kit.Margin{}, kit.NewBlocker(func() {
		if s.OnClose != nil {
			s.OnClose()
		}
	}), s.Page, s.Slot)
	return s
}

// hanging lays out a popover below its anchor, within the window.
type hanging struct {
	anchor      fyne.CanvasObject
	right       bool // aligns the right edges instead of the left ones
	width       float32
	inner, card fyne.CanvasObject
}

// edge is the minimal distance between a popover and the edges of the window.
const edge = 12

func (l *hanging) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	at := kit.PositionOf(l.anchor)
	w := min(l.width, size.Width-2*edge)
	x := at.X
	if l.right {
		x = at.X + l.anchor.Size().Width - w
	}
	y := at.Y + l.anchor.Size().Height + 8
	h := min(kit.HeightOf(l.inner, w), size.Height-y-edge)
	kit.Place(l.card, float32(int(max(min(x, size.Width-w-edge), edge))), float32(int(y)), w, max(h, 0))
}

func (l *hanging) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// keys is an invisible widget that handles the keys of a popover.
type keys struct {
	widget.BaseWidget
	typed func(rune)
	key   func(*fyne.KeyEvent) bool // returns false if it does not handle the key
}

func newKeys(typed func(rune), key func(*fyne.KeyEvent) bool) *keys {
	k := &keys{typed: typed, key: key}
	k.ExtendBaseWidget(k)
	return k
}

func (k *keys) FocusGained()     {}
func (k *keys) FocusLost()       {}
func (k *keys) TypedRune(r rune) { k.typed(r) }
func (k *keys) TypedKey(e *fyne.KeyEvent) {
	if !k.key(e) {
		kit.PassKey(k, e)
	}
}
func (k *keys) TypedShortcut(s fyne.Shortcut) { kit.PassShortcut(k, s) }
func (k *keys) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.New(kit.Margin{}))
}
