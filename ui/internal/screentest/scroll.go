package screentest

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// scrollerOf returns the scroller that an object is or extends, or nil if there is none.
func scrollerOf(o fyne.CanvasObject) *container.Scroll {
	switch s := o.(type) {
	case *container.Scroll:
		return s
	case interface{ Scroller() *container.Scroll }:
		return s.Scroller()
	}
	return nil
}
