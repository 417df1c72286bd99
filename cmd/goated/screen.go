//go:build !headless && cgo && !ci

package main

import (
	"math"
	"os"
	"strconv"

	"fyne.io/fyne/v2"
	"github.com/go-gl/glfw/v3.3/glfw"
)

// What Fyne takes for the usual dots per inch, and what it does not believe.
const (
	usualDPI = 120
	leastDPI = 10
	mostDPI  = 1000
)

// room is how large w may be on the screen on which it appears, without what the
// desktop keeps for itself; zero where that is not known. Fyne opens a window
// larger than its screen, and knows its own scale only when that is there, so it is
// worked out as Fyne does.
func room(w fyne.Window) fyne.Size {
	screen := glfw.GetPrimaryMonitor()
	if screen == nil {
		return fyne.Size{}
	}
	_, _, width, height := screen.GetWorkarea()
	scale := fyne.CurrentDevice().SystemScaleForWindow(w)
	if scale < 0 { // it goes by the screen
		scale = 1
		if mm, _ := screen.GetPhysicalSize(); mm > 0 {
			if dpi := float32(screen.GetVideoMode().Width) / (float32(mm) / 25.4); dpi >= leastDPI && dpi <= mostDPI {
				scale = max(dpi/usualDPI, 1)
			}
		}
	}
	if user, err := strconv.ParseFloat(os.Getenv("FYNE_SCALE"), 32); err == nil && user > 0 {
		scale *= float32(user)
	} else if user := fyne.CurrentApp().Settings().Scale(); user > 0 {
		scale *= user
	}
	scale = float32(math.Round(float64(scale)*10)) / 10
	return fyne.NewSize(float32(width)/scale, float32(height)/scale)
}
