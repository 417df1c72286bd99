package pause

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
)

// A keyBox is content that handles keys, for example the numbers of options. It is one tab stop,
// and shows a ring when the focus returns to it. It handles keys only while it has the focus, so
// it never takes a letter that the user types into a field.
type keyBox struct {
	widget.BaseWidget
	self     fyne.CanvasObject // the widget on the screen: the keyBox, or the widget that embeds it
	content  fyne.CanvasObject
	ring     *kit.Panel
	left     bool        // the focus has been elsewhere since the dialog opened
	asText   func() bool // reports whether the user writes a text answer, so that letters are not shortcuts; may be nil
	onRune   func(rune)
	onKey    func(fyne.KeyName) bool // reports whether it handled the key
	onSelect func()                  // runs on Ctrl+A
	onSubmit func()                  // runs on Ctrl+Enter
	onPaste  func()                  // runs on Ctrl+V
}

func newKeyBox(content fyne.CanvasObject) *keyBox {
	k := &keyBox{content: content, ring: kit.NewPanel(kit.ColorNone, kit.ColorNone, 12)}
	k.ExtendBaseWidget(k)
	k.self = k
	return k
}

// HeightFor implements [kit.Tall].
func (k *keyBox) HeightFor(width float32) float32 { return kit.HeightOf(k.content, width) }

func (k *keyBox) box() *keyBox { return k }

func (k *keyBox) CreateRenderer() fyne.WidgetRenderer {
	const out = -6 // the ring is outside the content, which is aligned with the text above
	return widget.NewSimpleRenderer(container.New(kit.Margin{}, container.New(kit.Margin{Top: out, Right: out, Bottom: out, Left: out}, k.ring), k.content))
}

// FocusGained shows the ring, except the first time. The opening dialog sets the focus then, and
// the user looks at all of it.
func (k *keyBox) FocusGained() {
	if k.left {
		k.ring.Paint(kit.ColorNone, kit.ColorAccent)
	}
}

func (k *keyBox) FocusLost() {
	k.left = true
	k.ring.Paint(kit.ColorNone, kit.ColorNone)
}

// Keys handles the keys of an open dialog, for example the number of an option. The window passes
// a character that nothing else handled.
type Keys interface{ PressKey(r rune) }

func (k *keyBox) TypedRune(r rune) { k.PressKey(r) }

// PressKey implements [Keys].
func (k *keyBox) PressKey(r rune) {
	if k.onRune != nil && (k.asText == nil || !k.asText()) {
		k.onRune(r)
	}
}

func (k *keyBox) TypedKey(e *fyne.KeyEvent) {
	if k.onKey == nil || !k.onKey(e.Name) {
		kit.PassKey(k.self, e)
	}
}

func (k *keyBox) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutSelectAll:
		if k.onSelect != nil {
			k.onSelect()
			return
		}
	case *fyne.ShortcutPaste:
		if k.onPaste != nil {
			k.onPaste()
			return
		}
	case *desktop.CustomShortcut:
		if k.onSubmit != nil && s.Modifier == fyne.KeyModifierShortcutDefault && (s.KeyName == fyne.KeyReturn || s.KeyName == fyne.KeyEnter) {
			k.onSubmit()
			return
		}
	}
	kit.PassShortcut(k.self, s)
}
