package transcript

import (
	"image/color"
	"net/url"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
	"goated/ui/popup"
	md "goated/ui/view/markdown"
)

// An eventLayer lies behind the rows. It handles the pointer between them, and
// the keys while text is selected.
type eventLayer struct {
	widget.BaseWidget
	t    *Transcript
	held bool // the transcript handles a pointer or a choice
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
func (g *eventLayer) MouseDown(e *desktop.MouseEvent)    { g.t.Selection.press(e) }
func (g *eventLayer) MouseUp(e *desktop.MouseEvent)      { g.t.Selection.release(e) }
func (g *eventLayer) MouseIn(e *desktop.MouseEvent)      { g.MouseMoved(e) }
func (g *eventLayer) MouseOut()                          {}
func (g *eventLayer) Dragged(e *fyne.DragEvent)          { g.t.Selection.drag(e) }
func (g *eventLayer) DragEnd()                           { g.t.Selection.dragged() }
func (g *eventLayer) TappedSecondary(e *fyne.PointEvent) { g.t.Selection.menu(e.AbsolutePosition, "") }
func (g *eventLayer) FocusGained()                       {}

// TypedRune passes a character on, unless a message is chosen: its actions have letters.
func (g *eventLayer) TypedRune(r rune) {
	if g.t.Keyboard.Chosen == 0 && g.t.On.Typed != nil {
		g.t.On.Typed(r)
	}
}

func (g *eventLayer) MouseMoved(e *desktop.MouseEvent) {
	g.t.Overlay.Hover(g.t.View.Heights.At(e.Position.Y-g.t.View.Headroom()), "")
}

func (g *eventLayer) FocusLost() {
	g.held = false
	g.t.Selection.Deselect()
	g.t.Keyboard.leave()
}

// Disabled makes Tab skip the text unless the pointer selects in it.
func (g *eventLayer) Disabled() bool { return !g.held }
func (g *eventLayer) Disable()       {}
func (g *eventLayer) Enable()        {}

// AcceptsTab reports whether a message is chosen: Tab then focuses its buttons.
func (g *eventLayer) AcceptsTab() bool { return g.t.Keyboard.Chosen > 0 }

func (g *eventLayer) TypedKey(e *fyne.KeyEvent) {
	if !g.t.Keyboard.typed(e.Name) {
		kit.PassKey(g, e)
	}
}

func (g *eventLayer) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutCopy:
		g.t.Selection.copy(s.Clipboard, false)
	case *fyne.ShortcutSelectAll:
		g.t.Selection.All()
	default:
		kit.PassShortcut(g, s)
	}
}

// menu shows the menu of the text at an absolute position. code is the listing there.
func (s *selection) menu(pos fyne.Position, code string) { s.menuFor(s.posAt(pos).Item, pos, code) }

// menuFor shows the menu of an item at an absolute position.
func (s *selection) menuFor(item int, pos fyne.Position, code string) {
	c := fyne.CurrentApp().Driver().CanvasForObject(s.events)
	if c == nil {
		return
	}
	clip := fyne.CurrentApp().Clipboard()
	anchor, caret := s.anchor, s.caret // the menu may take the focus and clear the selection
	var items []popup.Item
	if !s.empty() {
		items = append(items, popup.Item{Text: "Copy", Icon: "copy", Keys: kit.ModKey(fyne.KeyC), Do: func() {
			s.Mark(anchor, caret)
			s.copy(clip, false)
		}}, popup.Item{Text: "Copy as Markdown", Do: func() {
			s.Mark(anchor, caret)
			s.copy(clip, true)
		}}, popup.Item{})
	} else if item >= 0 && item < len(s.t.View.Items) {
		items = append(items, popup.Item{Text: "Copy as Markdown", Icon: "copy", Do: func() { s.t.copySource(item) }})
	}
	if code != "" {
		name := "Copy code"
		if md.IsTeX(code) {
			name = "Copy TeX"
		}
		items = append(items, popup.Item{Text: name, Icon: "file", Do: func() { s.t.copy(code) }})
	}
	if link := s.t.Overlay.link; link != "" {
		items = append(items, popup.Item{Text: "Open link", Icon: "external", Do: func() { openPage(link) }},
			popup.Item{Text: "Copy link", Icon: "chain", Do: func() { clip.SetContent(link) }})
	}
	items = append(append(items, popup.Item{}), s.t.actions(item)...)
	items = append(items, popup.Item{}, popup.Item{Text: "Select all", Keys: kit.ModKey(fyne.KeyA), Do: s.AllFocused})
	popup.Show(c, pos, items...)
}

// AllFocused selects the whole conversation and focuses it.
func (s *selection) AllFocused() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s.events); c != nil {
		s.events.held = true
		c.Focus(s.events)
	}
	s.All()
}

// Hover sets the item and the link under the pointer.
func (o *overlay) Hover(item int, link string) {
	if o.link != link {
		o.link = link
		o.update()
	}
	if o.hovered != item {
		o.hovered = item
		o.t.View.Arrange()
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
