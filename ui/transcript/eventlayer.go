package transcript

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
	"goated/ui/popup"
	md "goated/ui/view/markdown"
)

// An eventLayer lies behind the rows. It handles the pointer between the rows, and the keyboard
// while text is selected.
type eventLayer struct {
	widget.BaseWidget
	t    *Transcript
	held bool // the user selects text with the pointer, or has chosen a message
}

func newEventLayer(t *Transcript) *eventLayer {
	g := &eventLayer{t: t}
	g.ExtendBaseWidget(g)
	return g
}

func (l *eventLayer) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(color.Transparent))
}

func (l *eventLayer) MinSize() fyne.Size                 { return fyne.Size{} }
func (l *eventLayer) MouseDown(e *desktop.MouseEvent)    { l.t.Selection.press(e) }
func (l *eventLayer) MouseUp(e *desktop.MouseEvent)      { l.t.Selection.release(e) }
func (l *eventLayer) MouseIn(e *desktop.MouseEvent)      { l.MouseMoved(e) }
func (l *eventLayer) MouseOut()                          {}
func (l *eventLayer) Dragged(e *fyne.DragEvent)          { l.t.Selection.drag(e) }
func (l *eventLayer) DragEnd()                           { l.t.Selection.dragged() }
func (l *eventLayer) TappedSecondary(e *fyne.PointEvent) { l.t.Selection.menu(e.AbsolutePosition, "") }
func (l *eventLayer) FocusGained()                       {}

// TypedRune forwards a character, unless a message is chosen: letters are shortcuts for its
// actions.
func (l *eventLayer) TypedRune(r rune) {
	if l.t.Keyboard.Chosen == 0 && l.t.On.Typed != nil {
		l.t.On.Typed(r)
	}
}

func (l *eventLayer) MouseMoved(e *desktop.MouseEvent) {
	l.t.Overlay.Hover(l.t.View.Heights.At(e.Position.Y-l.t.View.headroom()), "")
}

func (l *eventLayer) FocusLost() {
	l.held = false
	l.t.Selection.Deselect()
	l.t.Keyboard.clear()
}

// Disabled makes Tab skip the text, unless the user selects in it with the pointer.
func (l *eventLayer) Disabled() bool { return !l.held }
func (l *eventLayer) Disable()       {}
func (l *eventLayer) Enable()        {}

// AcceptsTab reports whether a message is chosen. Tab then focuses its buttons.
func (l *eventLayer) AcceptsTab() bool { return l.t.Keyboard.Chosen > 0 }

func (l *eventLayer) TypedKey(e *fyne.KeyEvent) {
	if !l.t.Keyboard.typed(e.Name) {
		kit.PassKey(l, e)
	}
}

func (l *eventLayer) TypedShortcut(s fyne.Shortcut) {
	switch s := s.(type) {
	case *fyne.ShortcutCopy:
		l.t.Selection.copy(s.Clipboard, false)
	case *fyne.ShortcutSelectAll:
		l.t.Selection.All()
	default:
		kit.PassShortcut(l, s)
	}
}

// menu shows the menu of the text at an absolute position. code is the code block there.
func (s *selection) menu(pos fyne.Position, code string) { s.menuFor(s.posAt(pos).Item, pos, code) }

// menuFor shows the menu of an item at an absolute position.
func (s *selection) menuFor(item int, pos fyne.Position, code string) {
	c := kit.CanvasOf(s.events)
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
		items = append(items, popup.Item{Text: "Open link", Icon: "external", Do: func() { s.t.open(link) }},
			popup.Item{Text: "Copy link", Icon: "chain", Do: func() { s.t.copy(link) }})
	}
	items = append(append(items, popup.Item{}), s.t.actions(item)...)
	items = append(items, popup.Item{}, popup.Item{Text: "Select all", Keys: kit.ModKey(fyne.KeyA), Do: s.AllFocused})
	popup.Show(c, pos, items...)
}

// AllFocused selects the whole conversation and focuses it.
func (s *selection) AllFocused() {
	s.events.held = true
	kit.Focus(s.events)
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
