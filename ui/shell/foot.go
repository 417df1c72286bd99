package shell

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
)

// Foot returns the footer of a sheet, with the counter at the left and the buttons at the right.
// If they do not fit beside each other, the buttons go below the counter, in several rows if
// necessary.
func Foot(count *Counter, buttons ...fyne.CanvasObject) *fyne.Container {
	return count.In(container.New(footLayout{count}, count.Button, Buttons(buttons...)))
}

// Buttons returns a row of buttons, aligned right. It uses several rows if the width is too
// small.
func Buttons(buttons ...fyne.CanvasObject) *fyne.Container {
	return container.New(kit.Flow{Gap: footGap, Right: true, Min: kit.Horizontal(footGap, nil, buttons...).MinSize()}, buttons...)
}

// footGap is the gap between buttons.
const footGap = 8

// footLayout lays out a footer: the button of the counter, which may be hidden, and the row of
// the other buttons.
type footLayout struct{ count *Counter }

// beside returns the width of the counter including the gap, and whether the buttons fit beside
// it.
func (l footLayout) beside(objects []fyne.CanvasObject, width float32) (counter float32, fits bool) {
	if l.count.Hidden {
		return 0, true
	}
	counter = objects[0].MinSize().Width + footGap
	return counter, counter+objects[1].MinSize().Width <= width
}

func (l footLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	counter, fits := l.beside(objects, size.Width)
	button, y := objects[0].MinSize(), float32(0)
	if fits {
		kit.Place(objects[0], 0, (size.Height-button.Height)/2, button.Width, button.Height)
	} else {
		kit.Place(objects[0], 0, 0, button.Width, button.Height)
		counter, y = 0, button.Height+footGap
	}
	kit.Place(objects[1], counter, y, size.Width-counter, size.Height-y)
}

func (l footLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	counter, fits := l.beside(objects, width)
	if fits {
		return kit.HeightOf(objects[1], width-counter)
	}
	return objects[0].MinSize().Height + footGap + kit.HeightOf(objects[1], width)
}

func (l footLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, objects[1].MinSize().Height)
}
