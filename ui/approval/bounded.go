package approval

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
)

// A bounded holds the rows of a card. It scrolls only what has no room, so that the
// head and the buttons stay visible; without a need to scroll, the wheel moves the
// conversation.
type bounded struct {
	root    *fyne.Container
	content fyne.CanvasObject
	scroll  *kit.Scroller
	room    func() float32
	seen    bool // the end of the content was visible
	changed func()
}

// The height of a card besides its rows, with the gaps around it, and the least
// height of the rows.
const (
	frameHeight = 52 + 62 + 60
	leastHeight = 120
)

func newBounded(content fyne.CanvasObject, room func() float32, changed func()) *bounded {
	b := &bounded{content: content, room: room, changed: changed}
	b.scroll = kit.NewScroller(content)
	b.scroll.Scroll.OnScrolled = func(fyne.Position) { b.look() }
	b.scroll.OnFit = b.look
	b.root = container.New(boundedLayout{b}, content)
	return b
}

// look notes whether the end is visible now.
func (b *bounded) look() {
	s := b.scroll
	end := s.Scroll.Size().Height > 0 && s.Scroll.Offset.Y+s.Scroll.Size().Height >= s.Inner.Size().Height-8
	if !b.seen && (end || b.root.Objects[0] == b.content && b.root.Size().Height > 0) {
		b.seen = true
		b.changed()
	}
}

// boundedLayout gives the content its height, up to the room.
type boundedLayout struct{ b *bounded }

func (l boundedLayout) HeightFor(_ []fyne.CanvasObject, width float32) float32 {
	high := kit.HeightOf(l.b.content, width)
	most := high
	if l.b.room != nil {
		if room := l.b.room(); room > 0 {
			most = max(room-frameHeight, leastHeight)
		}
	}
	l.b.choose(high <= most)
	return min(high, most)
}

// choose puts the content itself, or a scroller around it, on the screen.
func (b *bounded) choose(fits bool) {
	want := fyne.CanvasObject(b.content)
	if !fits {
		want = b.scroll.Root
	}
	if b.root.Objects[0] != want {
		b.root.Objects[0] = want
		b.root.Refresh()
	}
}

func (l boundedLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	kit.Place(objects[0], 0, 0, size.Width, size.Height)
	if objects[0] == l.b.content {
		l.b.look()
	}
}

func (l boundedLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(32, 32) }
