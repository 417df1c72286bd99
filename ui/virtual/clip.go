package virtual

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
)

// listLayout gives a list, or its clip, the whole area.
type listLayout struct{ list *List }

func (listLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		kit.Place(o, 0, 0, size.Width, size.Height)
	}
}

func (l listLayout) HeightFor(_ []fyne.CanvasObject, width float32) float32 {
	return l.list.HeightFor(width)
}

func (listLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(40, 0) }

// A listClip clips a list that scrolls, and handles the mouse wheel.
type listClip struct {
	widget.BaseWidget
	list *List
}

func newListClip(r *List) *listClip {
	s := &listClip{list: r}
	s.ExtendBaseWidget(s)
	return s
}

func (s *listClip) Scrolled(e *fyne.ScrollEvent) { s.list.wheel(e) }

func (s *listClip) CreateRenderer() fyne.WidgetRenderer { return &listClipRenderer{s.list} }

type listClipRenderer struct{ list *List }

func (r *listClipRenderer) Layout(size fyne.Size)        { kit.Place(r.list, 0, 0, size.Width, size.Height) }
func (r *listClipRenderer) MinSize() fyne.Size           { return fyne.NewSize(40, 0) }
func (r *listClipRenderer) Refresh()                     { r.list.Refresh() }
func (r *listClipRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.list} }
func (r *listClipRenderer) Destroy()                     {}
