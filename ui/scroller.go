package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// A scroller shows a column of which only a part fits. It is tall, so inside a
// sheet it is as high as its content until the sheet runs out of room.
type scroller struct {
	root   *fyne.Container
	scroll *container.Scroll
	inner  *fyne.Container
	width  float32 // of the content, as last laid out

	OnFit func() // it has been laid out; what is in sight may be other than before
}

func newScroller(content fyne.CanvasObject) *scroller {
	s := &scroller{}
	s.inner = container.New(scrolled{s}, content)
	s.scroll = container.NewVScroll(s.inner)
	s.root = container.New(viewport{s}, s.scroll)
	return s
}

// refit lays the content out anew after a change inside it.
func (s *scroller) refit() {
	if s.width == 0 {
		return // never shown yet
	}
	size := s.scroll.Size()
	all := s.inner.MinSize().Max(size)
	place(s.inner, s.inner.Position().X, s.inner.Position().Y, all.Width, all.Height)
	// Refreshing the scroller would refresh everything in it. A change of its
	// size makes it look at its content's size and at its bars, and no more.
	s.scroll.Resize(size.AddWidthHeight(0, 1))
	s.scroll.Resize(size)
	if s.OnFit != nil {
		s.OnFit()
	}
}

func (s *scroller) atBottom() bool {
	return s.scroll.Offset.Y >= s.inner.Size().Height-s.scroll.Size().Height-24
}

// viewport is the layout around the Fyne scroller: it tells the content its
// width before Fyne asks for its height.
type viewport struct{ s *scroller }

func (l viewport) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	l.s.width = size.Width
	if l.s.scroll.Size() == size {
		l.s.refit()
		return
	}
	l.s.scroll.Resize(size)
	l.s.refit()
}

func (l viewport) heightFor(_ []fyne.CanvasObject, width float32) float32 {
	return heightOf(l.s.inner.Objects[0], width)
}

func (l viewport) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(32, 32) }

type scrolled struct{ s *scroller }

func (l scrolled) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	place(objects[0], 0, 0, size.Width, size.Height)
}

func (l scrolled) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, heightOf(objects[0], l.s.width))
}
