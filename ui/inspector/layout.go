package inspector

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
)

const (
	detailWidth = 376
	narrow      = 780 // below this width the detail replaces the list
	edge        = 20
	barHeight   = 36
)

// columns lays out the page, with the filters and the tiles above the list and the detail.
type columns struct{ page *Page }

func (l *columns) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	p := l.page
	kit.Place(p.bar.root, edge, 10, size.Width-2*edge, barHeight)
	y := float32(10 + barHeight + 10)
	if !p.tiles.root.Hidden {
		kit.Place(p.tiles.root, edge, y, size.Width-2*edge, tileHeight)
		y += tileHeight + 12
	}
	width, high := size.Width, max(size.Height-y, 0)
	open := p.detail.open()
	p.detail.root.Hidden, p.detail.line.Hidden = !open, !open
	if open {
		side := min(detailWidth, size.Width)
		if size.Width < narrow {
			side = size.Width
		}
		width = size.Width - side
		kit.Place(p.detail.line, width, y, 1, high)
		kit.Place(p.detail.root, width+1, y, side-1, high)
	}
	p.list.head.Hidden, p.list.Root.Hidden = width == 0, width == 0
	kit.Place(p.list.head, 0, y, width, headHeight)
	kit.Place(p.list.Root, 0, y+headHeight, width, max(high-headHeight, 0))
	kit.Place(p.empty.root, 0, y+headHeight, width, max(high-headHeight, 0))
}

func (l *columns) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(300, 200) }

// An empty explains why the list is empty, and what to do.
type empty struct {
	page  *Page
	root  *fyne.Container
	title *kit.Label
	words *kit.Paragraph
	all   *kit.Button
}

func newEmpty(p *Page) *empty {
	n := &empty{page: p, title: kit.NewLabel("", 15, kit.ColorText).Strong(), words: kit.NewText("", 13, 20, kit.ColorMuted)}
	n.all = kit.NewButton(kit.Outline, "", "Show all", func() { p.key(&fyne.KeyEvent{Name: fyne.KeyEscape}) }).Small()
	n.root = container.New(kit.MaxWidth{Width: 420, Edge: 20}, kit.Inset(kit.Margin{Top: 64, Right: 0, Bottom: 0, Left: 0},
		kit.Vertical(8, kit.Horizontal(0, nil, kit.Sized(26, 26, kit.NewIcon("activity", 26, kit.ColorFaint))), n.title, n.words, kit.Horizontal(0, nil, n.all))))
	n.root.Hide()
	return n
}

func (n *empty) show() {
	s := n.page.shown
	n.root.Hidden = s.view == nil || s.view.Len() > 0
	n.all.Hidden = true
	switch {
	case s.log.Total().Frames > 0:
		n.title.Text = "No message matches"
		n.words.SetText("The filters leave nothing to show.")
		n.all.Hidden = false
	case n.page.on.Recorder.On():
		n.title.Text = "Waiting for messages"
		n.words.SetText("goated records until you pause: each message between goated, your servers and the model appears here. You can go on chatting meanwhile.")
	default:
		n.title.Text = "Nothing is recorded"
		n.words.SetText("The recording is paused. Press Resume, or P, to record the next messages.")
	}
	n.root.Refresh()
}

// A pill is a dot and a word.
type pill struct {
	root  *fyne.Container
	panel *kit.Panel
	dot   *kit.Panel
	word  *kit.Label
}

func newPill() *pill {
	l := &pill{panel: kit.NewPanel(kit.ColorSoft, kit.ColorNone, 10), dot: kit.NewPanel(kit.ColorGood, kit.ColorNone, 4), word: kit.NewLabel("", 12, kit.ColorText).Medium()}
	l.root = kit.Boxed(l.panel, kit.Margin{Top: 0, Right: 10, Bottom: 0, Left: 8}, container.New(kit.Row{Gap: 7}, kit.Sized(8, 8, l.dot), kit.Inset(kit.Margin{Top: 2, Right: 0, Bottom: 2, Left: 0}, l.word)))
	return l
}

func (l *pill) show(word string, ink, ground fyne.ThemeColorName) {
	l.word.Text, l.word.Color = word, ink
	l.dot.Paint(ink, kit.ColorNone)
	l.panel.Paint(ground, kit.ColorNone)
	l.root.Refresh()
}
