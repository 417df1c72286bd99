package transcript

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/figure"
	"goated/ui/kit"
	"goated/ui/view"
)

// A folded card shows the first pictures of its result, because they are what the user asked for.
const (
	maxThumbs   = 2
	thumbHeight = 160
	thumbWidth  = 320 // of a single picture
	pairWidth   = 180 // of each of two pictures: both fit into the narrowest window
)

// thumbs are the pictures below the line of a folded card.
type thumbs struct {
	root *fyne.Container
	of   *view.Result // the result with the pictures
}

// thumb shows the pictures of the result while the card is folded.
func (c *Card) thumb() {
	t := &c.thumbs
	row := t.root.Objects[0].(*fyne.Container)
	if !c.Open && t.of != c.Item.Content {
		t.of, row.Objects = c.Item.Content, nil
		var all []view.Part
		for _, p := range c.Item.Parts() {
			if p.Kind == view.ImagePart && len(all) < maxThumbs {
				all = append(all, p)
			}
		}
		width := float32(thumbWidth)
		if len(all) > 1 {
			width = pairWidth
		}
		for _, p := range all {
			row.Objects = append(row.Objects, c.thumbOf(p, width))
		}
	}
	t.root.Hidden = c.Open || len(row.Objects) == 0
}

// thumbOf draws a picture. A press shows it in full size.
func (c *Card) thumbOf(p view.Part, width float32) fyne.CanvasObject {
	img := figure.New(p.Data, c.owner.Actions.Runner, thumbHeight)
	img.OnReady = func(string) { c.owner.View.refit() }
	place := container.New(thumbLayout{img, width}, img.Root)
	if show := c.owner.Actions.View; show != nil {
		place.Objects = append([]fyne.CanvasObject{kit.NewTappable(6, func() { show(p) })}, place.Objects...)
	}
	return place
}

// thumbLayout makes a picture as wide as it needs, up to width.
type thumbLayout struct {
	img   *figure.Figure
	width float32
}

func (l thumbLayout) Layout(objects []fyne.CanvasObject, _ fyne.Size) {
	for _, o := range objects {
		kit.Place(o, 0, 0, l.width, l.img.Fit(l.width).Height)
	}
}

func (l thumbLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(l.width, l.img.Fit(l.width).Height)
}
