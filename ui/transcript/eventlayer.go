package transcript

import (
	"image/color"
	"net/url"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
)

// A eventLayer lies behind the rows of a transcript: it takes what the pointer does
// between them, and the keys while text is selected.
type eventLayer struct {
	widget.BaseWidget
	t    *Transcript
	held bool // the pointer is or was at work in the transcript
}

func newEventLayer(t *Transcript) *eventLayer {
	g := &eventLayer{t: t}
	g.ExtendBaseWidget(g)
	return g
}

func (g *eventLayer) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(color.Transparent))
}

func (g *eventLayer) MinSize() fyne.Size                 { return fyne.Size{} }
func (g *eventLayer) MouseDown(e *desktop.MouseEvent)    { g.t.press(e) }
func (g *eventLayer) MouseUp(e *desktop.MouseEvent)      { g.t.release(e) }
func (g *eventLayer) MouseIn(e *desktop.MouseEvent)      { g.MouseMoved(e) }
func (g *eventLayer) MouseOut()                          {}
func (g *eventLayer) Dragged(e *fyne.DragEvent)          { g.t.drag(e.AbsolutePosition) }
func (g *eventLayer) DragEnd()                           { g.t.dragged() }
func (g *eventLayer) TappedSecondary(e *fyne.PointEvent) { g.t.menu(e.AbsolutePosition) }
func (g *eventLayer) FocusGained()                       {}
func (g *eventLayer) TypedRune(rune)                     {}
func (g *eventLayer) MouseMoved(e *desktop.MouseEvent) {
	g.t.Hover(g.t.Heights.At(e.Position.Y-g.t.Headroom()), "")
}

func (g *eventLayer) FocusLost() {
	g.held = false
	g.t.Deselect()
	g.t.leave()
}

// Disabled makes Tab pass over the text: it has the focus while the pointer
// selects in it, and never else.
func (g *eventLayer) Disabled() bool { return !g.held }
func (g *eventLayer) Disable()       {}
func (g *eventLayer) Enable()        {}

// AcceptsTab is true while a message is chosen: Tab goes to its buttons then.
func (g *eventLayer) AcceptsTab() bool { return g.t.Chosen > 0 }

func (g *eventLayer) TypedKey(e *fyne.KeyEvent) {
	if !g.t.typed(e.Name) {
		kit.PassKey(g, e)
	}
}

func (g *eventLayer) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutCopy:
		g.t.copySelected(s.Clipboard, false)
	case *fyne.ShortcutSelectAll:
		g.t.SelectAll()
	default:
		kit.PassShortcut(g, s)
	}
}

// menu offers what can be done with the text.
func (t *Transcript) menu(pos fyne.Position) {
	c := fyne.CurrentApp().Driver().CanvasForObject(t.events)
	if c == nil {
		return
	}
	clip := fyne.CurrentApp().Clipboard()
	anchor, caret := t.anchor, t.caret // the menu may take the focus, and with it the selection
	text := fyne.NewMenuItem("Copy", func() {
		t.Mark(anchor, caret)
		t.copySelected(clip, false)
	})
	source := fyne.NewMenuItem("Copy as Markdown", func() {
		t.Mark(anchor, caret)
		t.copySelected(clip, true)
	})
	if t.selection.empty() {
		text.Disabled = true
		if at := t.spotAt(pos); at.Item < len(t.Items) {
			source.Action = func() { t.copySource(at.Item) }
		}
	}
	items := []*fyne.MenuItem{text, source}
	if link := t.pointed; link != "" {
		items = append(items, fyne.NewMenuItem("Copy link", func() { clip.SetContent(link) }))
	}
	items = append(items, t.actions(t.spotAt(pos).Item)...)
	items = append(items, fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Select all", t.SelectEverything))
	widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", items...), c, pos)
}

// SelectEverything marks the whole conversation and takes the keys for it.
func (t *Transcript) SelectEverything() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(t.events); c != nil {
		t.events.held = true
		c.Focus(t.events)
	}
	t.SelectAll()
}

// Hover says which item and which link the pointer is on.
func (t *Transcript) Hover(item int, link string) {
	if t.pointed != link {
		t.pointed = link
		t.float()
	}
	if t.hovered != item {
		t.hovered = item
		t.Arrange()
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
