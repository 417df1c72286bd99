package pause

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
)

// A keyBox is content with keys of its own, such as the numbers of options. It is one
// stop of the Tab key, and shows a ring when the user comes back to it. Its keys work only while it has the focus, so
// they never take a letter that the user types into a field.
type keyBox struct {
	widget.BaseWidget
	self     fyne.CanvasObject // what is on the screen: the keyBox, or the widget that embeds it
	content  fyne.CanvasObject
	ring     *kit.Panel
	left     bool        // the focus was elsewhere since the dialog opened
	asText   func() bool // the user writes an answer instead: letters are not keys; may be nil
	onRune   func(rune)
	onKey    func(fyne.KeyName) bool // reports whether it used the key
	onSelect func()                  // Ctrl+A
	onSubmit func()                  // Ctrl+Enter
	onPaste  func()                  // Ctrl+V
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
	const out = -6 // the ring is around the content, which stands in line with what is above it
	return widget.NewSimpleRenderer(container.New(kit.Margin{}, container.New(kit.Margin{Top: out, Right: out, Bottom: out, Left: out}, k.ring), k.content))
}

// FocusGained shows the ring, except the first time: the dialog that opens gives the focus,
// and all of it is what the user looks at.
func (k *keyBox) FocusGained() {
	if k.left {
		k.ring.Paint(kit.ColorNone, kit.ColorAccent)
	}
}

func (k *keyBox) FocusLost() {
	k.left = true
	k.ring.Paint(kit.ColorNone, kit.ColorNone)
}

// Keys are the keys of an open dialog, such as the number of an option. The window
// passes a character that nothing took.
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
