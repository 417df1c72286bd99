package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// A Scroller scrolls its content vertically. It implements Tall: inside a sheet it is as high as
// its content, but not higher than the sheet.
type Scroller struct {
	Root   *fyne.Container
	Scroll *Scroll
	Inner  *fyne.Container
	Width  float32 // the width of the content after the last layout

	OnFit func() // runs after each layout, because a layout may change the visible part
}

func NewScroller(content fyne.CanvasObject) *Scroller {
	s := &Scroller{}
	s.Inner = container.New(contentLayout{s}, content)
	s.Scroll = NewScroll(s.Inner)
	s.Root = container.New(scrollerLayout{s}, s.Scroll)
	return s
}

// Refit lays out the content again after a change inside it.
func (s *Scroller) Refit() {
	if s.Width == 0 {
		return // not shown yet
	}
	size := s.Scroll.Size()
	all := s.Inner.MinSize().Max(size)
	Place(s.Inner, s.Inner.Position().X, s.Inner.Position().Y, all.Width, all.Height)
	// Scroll.Refresh would refresh all content. Changing the size updates only the content's size
	// and the scroll bars.
	s.Scroll.Resize(size.AddWidthHeight(0, 1))
	s.Scroll.Resize(size)
	if s.OnFit != nil {
		s.OnFit()
	}
}

// AtBottom reports whether at most 24 units of the content are below the visible part.
func (s *Scroller) AtBottom() bool {
	return s.Scroll.Offset.Y >= s.Inner.Size().Height-s.Scroll.Size().Height-24
}

// scrollerLayout is the layout around Fyne's scroller. It sets the width of the
// content before Fyne asks for the height.
type scrollerLayout struct{ s *Scroller }

func (l scrollerLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	l.s.Width = size.Width
	if l.s.Scroll.Size() == size {
		l.s.Refit()
		return
	}
	l.s.Scroll.Resize(size)
	l.s.Refit()
}

func (l scrollerLayout) HeightFor(_ []fyne.CanvasObject, width float32) float32 {
	return HeightOf(l.s.Inner.Objects[0], width)
}

func (l scrollerLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(32, 32) }

type contentLayout struct{ s *Scroller }

func (l contentLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	Place(objects[0], 0, 0, size.Width, size.Height)
}

func (l contentLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, HeightOf(objects[0], l.s.Width))
}

// A Bounded is as high as its content, up to a limit. Beyond the limit, the content scrolls. If
// the content fits, the mouse wheel scrolls the page around it.
type Bounded struct {
	Root   *fyne.Container
	Seen   bool      // the end of the content has been visible
	Scroll *Scroller // used while the content does not fit

	content fyne.CanvasObject
	most    func() float32
	changed func()
}

// NewBounded limits the height of content. most returns the limit; there is no limit if most is
// nil or returns 0 or less. changed runs when the end of the content becomes visible; it may be
// nil.
func NewBounded(content fyne.CanvasObject, most func() float32, changed func()) *Bounded {
	b := &Bounded{content: content, most: most, changed: changed}
	b.Scroll = NewScroller(content)
	b.Scroll.Scroll.OnScrolled = func(fyne.Position) { b.look() }
	b.Scroll.OnFit = b.look
	b.Root = container.New(boundedLayout{b}, content)
	return b
}

// cardFrame is the height of a card without its body, plus the gaps around the card.
const cardFrame = 52 + 62 + 60

// NewCardBody limits the height of the body of a card, so that its head and its buttons stay
// visible. room returns the height that the card may take; nil means no limit. The body gets at
// least the height least.
func NewCardBody(content fyne.CanvasObject, room func() float32, least float32, changed func()) *Bounded {
	return NewBounded(content, func() float32 {
		if room == nil || room() <= 0 {
			return 0
		}
		return max(room()-cardFrame, least)
	}, changed)
}

// look updates Seen.
func (b *Bounded) look() {
	s := b.Scroll
	end := s.Scroll.Size().Height > 0 && s.Scroll.Offset.Y+s.Scroll.Size().Height >= s.Inner.Size().Height-8
	if !b.Seen && (end || b.Root.Objects[0] == b.content && b.Root.Size().Height > 0) {
		b.Seen = true
		if b.changed != nil {
			b.changed()
		}
	}
}

// boundedLayout gives the content its height, up to the limit.
type boundedLayout struct{ b *Bounded }

func (l boundedLayout) HeightFor(_ []fyne.CanvasObject, width float32) float32 {
	high := HeightOf(l.b.content, width)
	most := high
	if l.b.most != nil {
		if limit := l.b.most(); limit > 0 {
			most = limit
		}
	}
	l.b.choose(high <= most)
	return min(high, most)
}

// choose shows the content itself if it fits, and a scroller around it otherwise.
func (b *Bounded) choose(fits bool) {
	want := fyne.CanvasObject(b.content)
	if !fits {
		want = b.Scroll.Root
	}
	if b.Root.Objects[0] != want {
		b.Root.Objects[0] = want
		b.Root.Refresh()
	}
}

func (l boundedLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	if size.Width <= 0 {
		return // not placed yet: placing a text without a width would move its cursor
	}
	Place(objects[0], 0, 0, size.Width, size.Height)
	if objects[0] == l.b.content {
		l.b.look()
	}
}

func (l boundedLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(32, 32) }
