package ui

import (
	"cmp"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"goated/ui/chats"
	"goated/ui/kit"
)

// headerHeight is the height of the bar above the transcript.
const headerHeight = 56

// narrow is the width of a window below which an open sidebar covers the page.
const narrow = 760

// A split is the layout of the sidebar, a line and the main area. The user can fold the
// sidebar. In a narrow window it stays folded until the user opens it.
type split struct {
	folded bool        // in a wide window, the sidebar is folded
	drawer bool        // in a narrow window, the sidebar is open
	unfold *kit.Button // in the header; visible while the sidebar is hidden
	asks   *kit.Button // beside it; visible while a question is out of sight
	waits  bool        // a question is out of sight
	width  float32

	side, line, main fyne.CanvasObject
}

func (l *split) shown() bool {
	if l.width < narrow {
		return l.drawer
	}
	return !l.folded
}

// showWaiting sets whether a question is out of sight. A button beside the title shows this while the
// sidebar is hidden.
func (f *frame) showWaiting(on bool) {
	if f.split.waits != on {
		f.split.waits = on
		f.layout()
	}
}

// toggle folds or opens the sidebar.
func (l *split) toggle() {
	if l.width < narrow {
		l.drawer = !l.drawer
		return
	}
	l.folded = !l.folded
}

func (l *split) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	shown := l.shown()
	if size.Width >= narrow {
		l.drawer = false
	}
	l.unfold.Hidden = shown && size.Width >= narrow
	l.asks.Hidden = l.unfold.Hidden || !l.waits // the sidebar itself shows which conversation asks
	for _, o := range []fyne.CanvasObject{l.side, l.line} {
		if shown {
			o.Show()
		} else {
			o.Hide()
		}
	}
	x := float32(0)
	if shown {
		kit.Place(l.side, 0, 0, chats.SidebarWidth, size.Height)
		kit.Place(l.line, chats.SidebarWidth, 0, 1, size.Height)
		if size.Width >= narrow {
			x = chats.SidebarWidth + 1
		}
	}
	kit.Place(l.main, x, 0, max(size.Width-x, 0), size.Height)
}

func (*split) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(480, 420) }

// foldSidebar folds or opens the sidebar.
func (w *Window) foldSidebar() {
	s := w.frame.split
	s.toggle()
	w.pages.arrange()
}

// closeDrawer closes a sidebar that covers the page, as in a narrow window. It reports whether it was
// open.
func (w *Window) closeDrawer() bool {
	if !w.frame.split.drawer {
		return false
	}
	w.foldSidebar()
	return true
}

// toastRoom returns the space at each edge that toasts must not cover. This is the sidebar and
// the composer. While a conversation asks something, it is the end of the conversation, and
// sometimes the header as well.
func (w *Window) toastRoom() (left, top, bottom float32) {
	if w.shell.Sheets.Top() != nil {
		return 0, 0, 2 // below the buttons of a sheet, which reaches almost to the window's edge
	}
	if w.frame.split.shown() && w.frame.split.width >= narrow {
		left = chats.SidebarWidth + 1
	}
	if w.shell.Main.Page() != nil {
		return left, 0, 4
	}
	above := w.frame.foot.Size().Height + 4
	if len(w.chats.Chats) == 0 || !w.chats.Questions.Open() {
		return left, 0, above
	}
	// The conversation must not move, because the user is about to press something in it.
	view := &w.chats.Transcript.View
	switch free := w.frame.freeHeight(view.Tall()); {
	case free >= toastHeight(w.shell.Toasts)+2*toastMargin:
		return left, 0, above // below the end of the conversation
	case free > 0 || !view.Stick:
		return left, toastMargin, 0 // over the header, where no question is covered
	}
	return left, headerHeight + 1 + toastMargin, 0
}

const toastMargin = 8

// toastHeight returns the height of the toasts at their current width, or at their usual width
// before their first layout.
func toastHeight(t *kit.Toasts) float32 {
	return kit.HeightOf(t.List, cmp.Or(t.List.Size().Width, 420))
}

// freeHeight returns the height that a conversation leaves empty between the header and the composer.
func (f *frame) freeHeight(tall float32) float32 {
	return f.talk.Size().Height - headerHeight - 1 - f.foot.Size().Height - tall
}

// makeRoomForToasts lays out the conversation again so that toasts do not cover it. If they are at the top,
// it starts below them. It does not jump, because it fills the window and its end is in sight.
// If they are at the bottom, it ends above them, because they would cover the end of an answer.
func (f *frame) makeRoomForToasts(w *Window) {
	var above, below float32
	if len(w.shell.Toasts.List.Objects) > 0 && w.shell.Main.Page() == nil && w.shell.Sheets.Top() == nil {
		room := toastHeight(w.shell.Toasts) + 2*toastMargin
		switch _, top, _ := w.toastRoom(); {
		case top > headerHeight:
			above = room
		case top == 0 && len(w.chats.Chats) > 0 && f.freeHeight(w.chats.Transcript.View.Tall()) < room:
			below = room
		}
	}
	if area := f.talk.Layout.(*mainArea); area.above != above || area.below != below {
		area.above, area.below = above, below
		area.Layout(f.talk.Objects, f.talk.Size())
	}
}

// mainArea is the layout of the header, the transcript and the composer, from top to bottom,
// over a background. Only the transcript shrinks.
type mainArea struct {
	header, body, foot fyne.CanvasObject
	above, below       float32 // space for toasts above and below the transcript
}

func (l *mainArea) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	head := max(headerHeight, kit.HeightOf(l.header, size.Width))
	foot, top := kit.HeightOf(l.foot, size.Width), head+1+l.above
	for i, o := range objects {
		switch {
		case i == 0:
			kit.Place(o, 0, 0, size.Width, size.Height)
		case o == l.header:
			kit.Place(o, 0, 0, size.Width, head)
		case o == l.body:
			kit.Place(o, 0, top, size.Width, max(size.Height-top-foot-l.below, 0))
		case o == l.foot:
			kit.Place(o, 0, size.Height-foot, size.Width, foot)
		default:
			kit.Place(o, 0, head, size.Width, 1)
		}
	}
}

func (l *mainArea) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(400, 300) }

// newBackground returns the background of a mainArea. With OpenGL it is hidden, because Fyne clears
// each frame with the same colour. Painting it again would take a third of the time of a frame
// without a GPU.
func newBackground(o DesktopOptions) fyne.CanvasObject {
	g := kit.NewPanel(theme.ColorNameBackground, kit.ColorNone, 0)
	g.Hidden = o.OpenGL
	return g
}

// headerRow is the layout of the header. In a narrow window it cuts the title with an ellipsis.
// If hardly a word of the title would be left, it hides the spare part.
type headerRow struct {
	kit.Row
	named, spare fyne.CanvasObject // named holds the title
	title        *kit.Label
}

// leastTitle is the width of the title below which headerRow hides the spare part.
const leastTitle = 96

// titleWidth returns the width that the other parts leave for the title and the gap behind it.
func (l headerRow) titleWidth(objects []fyne.CanvasObject, width float32) float32 {
	rest := width + l.Gap
	for _, o := range objects {
		if o.Visible() {
			rest -= l.Gap
			if o != l.named && o != l.Flex {
				rest -= o.MinSize().Width
			}
		}
	}
	return rest
}

func (l headerRow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	wanted := l.title.Measure(l.title.Text).Width
	l.spare.Show()
	rest := l.titleWidth(objects, size.Width)
	if rest < min(wanted, leastTitle) {
		l.spare.Hide()
		rest = l.titleWidth(objects, size.Width)
	}
	title := max(min(wanted, rest), 0)
	x := float32(0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		width := o.MinSize().Width
		switch o {
		case l.named:
			width = title
		case l.Flex:
			width = max(rest-title, 0)
		}
		height := kit.HeightOf(o, width)
		kit.Place(o, x, (size.Height-height)/2, width, height)
		x += width + l.Gap
	}
}
