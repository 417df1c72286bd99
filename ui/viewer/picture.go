package viewer

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/figure"
	"goated/ui/kit"
)

// buildPicture creates the sheet for an image. The image is as large as possible.
func (v *Viewer) buildPicture(name *kit.Label, closed func()) {
	facts := v.part
	facts.Name = ""
	v.status.facts.Set(strings.Join(facts.Facts(), " · "))
	img := figure.New(v.part.Data, v.work, 1)
	ready := func(size string) {
		if size != "" {
			v.status.facts.Set(v.status.facts.Text + " · " + size)
		}
		v.Refit()
		img.Root.Refresh()
	}
	img.OnReady = ready
	save := kit.NewButton(kit.Ghost, "save", "Save…", func() {
		if v.OnSave != nil {
			v.OnSave(v.part.FileName(v.part.Title), v.part.Data)
		}
	}).Small()
	head := kit.Inset(kit.Margin{Top: 16, Right: 16, Bottom: 10, Left: 24}, kit.Horizontal(12, v.status.facts, name, v.status.facts, save, kit.NewButton(kit.Ghost, "close", "", closed).Small()))
	page := container.New(kit.Margin{}, kit.NewPanel(kit.ColorSunken, kit.ColorNone, 0), kit.Inset(kit.Margin{Top: 16, Right: 24, Bottom: 16, Left: 24}, container.New(pictureLayout{img}, img.Root)))
	v.frame(kit.Vertical(0, head, kit.NewLine()), page, save, closed)
	if img.Ready() { // decoding was immediate
		ready(img.About)
	}
}

// pictureLayout centres an image and makes it as large as possible.
type pictureLayout struct{ img *figure.Figure }

func (l pictureLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.img.High = size.Height
	fit := l.img.Fit(size.Width)
	kit.Place(objects[0], (size.Width-fit.Width)/2, (size.Height-fit.Height)/2, fit.Width, fit.Height)
}

func (l pictureLayout) HeightFor([]fyne.CanvasObject, float32) float32 { return 1e6 }
func (l pictureLayout) MinSize([]fyne.CanvasObject) fyne.Size          { return fyne.NewSize(40, 24) }
