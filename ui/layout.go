package ui

import (
	"fyne.io/fyne/v2"

	"goated/ui/chats"
	"goated/ui/kit"
)

// headerHeight is the height of the bar over the transcript.
const headerHeight = 56

// split is the layout of the sidebar, a line and the main area, side by side. A
// window narrower than 760 hides the sidebar.
type split struct{}

func (split) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	x := float32(0)
	wide := size.Width >= 760
	objects[0].(*fyne.Container).Hidden, objects[1].(*fyne.Container).Hidden = !wide, !wide
	if wide {
		kit.Place(objects[0], 0, 0, chats.SidebarWidth, size.Height)
		kit.Place(objects[1], chats.SidebarWidth, 0, 1, size.Height)
		x = chats.SidebarWidth + 1
	}
	kit.Place(objects[2], x, 0, max(size.Width-x, 0), size.Height)
}

func (split) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(480, 420) }

// mainArea is the layout of the header, the transcript and the composer, from
// top to bottom, over a background. Only the transcript shrinks.
type mainArea struct{ header, body, foot fyne.CanvasObject }

func (l *mainArea) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	foot := kit.HeightOf(l.foot, size.Width)
	for i, o := range objects {
		switch {
		case i == 0:
			kit.Place(o, 0, 0, size.Width, size.Height)
		case o == l.header:
			kit.Place(o, 0, 0, size.Width, headerHeight)
		case o == l.body:
			kit.Place(o, 0, headerHeight+1, size.Width, max(size.Height-headerHeight-1-foot, 0))
		case o == l.foot:
			kit.Place(o, 0, size.Height-foot, size.Width, foot)
		default:
			kit.Place(o, 0, headerHeight, size.Width, 1)
		}
	}
}

func (l *mainArea) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(400, 300) }
