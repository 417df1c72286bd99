package ui

import (
	"image/color"
	"net/url"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
)

// A ground lies behind the rows of a transcript: it takes what the pointer does
// between them, and the keys while text is selected.
type ground struct {
	widget.BaseWidget
	t    *transcript
	held bool // the pointer is or was at work in the transcript
}

func newGround(t *transcript) *ground {
	g := &ground{t: t}
	g.ExtendBaseWidget(g)
	return g
}

func (g *ground) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(color.Transparent))
}

func (g *ground) MinSize() fyne.Size                 { return fyne.Size{} }
func (g *ground) MouseDown(e *desktop.MouseEvent)    { g.t.press(e) }
func (g *ground) MouseUp(e *desktop.MouseEvent)      { g.t.release(e) }
func (g *ground) MouseIn(e *desktop.MouseEvent)      { g.MouseMoved(e) }
func (g *ground) MouseOut()                          {}
func (g *ground) Dragged(e *fyne.DragEvent)          { g.t.drag(e.AbsolutePosition) }
func (g *ground) DragEnd()                           { g.t.dragged() }
func (g *ground) TappedSecondary(e *fyne.PointEvent) { g.t.menu(e.AbsolutePosition) }
func (g *ground) FocusGained()                       {}
func (g *ground) TypedRune(rune)                     {}
func (g *ground) MouseMoved(e *desktop.MouseEvent) {
	g.t.hover(g.t.heights.At(e.Position.Y-g.t.headroom()), "")
}

func (g *ground) FocusLost() {
	g.held = false
	g.t.deselect()
	g.t.leave()
}

// Disabled makes Tab pass over the text: it has the focus while the pointer
// selects in it, and never else.
func (g *ground) Disabled() bool { return !g.held }
func (g *ground) Disable()       {}
func (g *ground) Enable()        {}

// AcceptsTab is true while a message is chosen: Tab goes to its buttons then.
func (g *ground) AcceptsTab() bool { return g.t.chosen > 0 }

func (g *ground) TypedKey(e *fyne.KeyEvent) {
	if !g.t.typed(e.Name) {
		kit.PassKey(g, e)
	}
}

func (g *ground) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutCopy:
		g.t.copySelected(s.Clipboard, false)
	case *fyne.ShortcutSelectAll:
		g.t.selectAll()
	default:
		kit.PassShortcut(g, s)
	}
}

// menu offers what can be done with the text.
func (t *transcript) menu(pos fyne.Position) {
	c := fyne.CurrentApp().Driver().CanvasForObject(t.ground)
	if c == nil {
		return
	}
	clip := fyne.CurrentApp().Clipboard()
	anchor, caret := t.anchor, t.caret // the menu may take the focus, and with it the selection
	text := fyne.NewMenuItem("Copy", func() {
		t.mark(anchor, caret)
		t.copySelected(clip, false)
	})
	source := fyne.NewMenuItem("Copy as Markdown", func() {
		t.mark(anchor, caret)
		t.copySelected(clip, true)
	})
	if t.selection.empty() {
		text.Disabled = true
		if at := t.spotAt(pos); at.item < len(t.items) {
			source.Action = func() { t.copySource(at.item) }
		}
	}
	items := []*fyne.MenuItem{text, source}
	if link := t.pointed; link != "" {
		items = append(items, fyne.NewMenuItem("Copy link", func() { clip.SetContent(link) }))
	}
	items = append(items, t.actions(t.spotAt(pos).item)...)
	items = append(items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Select all", t.selectEverything))
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), c, pos)
}

// selectEverything marks the whole conversation and takes the keys for it.
func (t *transcript) selectEverything() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(t.ground); c != nil {
		t.ground.held = true
		c.Focus(t.ground)
	}
	t.selectAll()
}

// hover says which item and which link the pointer is on.
func (t *transcript) hover(item int, link string) {
	if t.pointed != link {
		t.pointed = link
		t.float()
	}
	if t.hovered != item {
		t.hovered = item
		t.arrange()
	}
}

// openPage opens an address in the system's browser.
func openPage(address string) {
	u, err := url.Parse(address)
	if err != nil {
		return
	}
	if err := fyne.CurrentApp().OpenURL(u); err != nil {
		fyne.LogError("opening a page", err)
	}
}
