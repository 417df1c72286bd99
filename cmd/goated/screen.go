//go:build !headless && cgo && !ci

package main

import (
	"math"
	"os"
	"strconv"

	"fyne.io/fyne/v2"
	"github.com/go-gl/glfw/v3.3/glfw"
)

// These are Fyne's own values: the default DPI, and the limits beyond which it considers a DPI
// wrong.
const (
	usualDPI = 120
	leastDPI = 10
	maxDPI   = 1000
)

// room returns the maximum size of w on its screen, without the desktop's panels, or a zero size if
// that is unknown. Fyne may open a window that is larger than the screen, and only knows its scale
// after that. So room computes the scale in the same way as Fyne.
func room(w fyne.Window) fyne.Size {
	screen := glfw.GetPrimaryMonitor()
	if screen == nil {
		return fyne.Size{}
	}
	_, _, width, height := screen.GetWorkarea()
	scale := fyne.CurrentDevice().SystemScaleForWindow(w)
	if scale < 0 { // derive it from the screen
		scale = 1
		if mm, _ := screen.GetPhysicalSize(); mm > 0 {
			if dpi := float32(screen.GetVideoMode().Width) / (float32(mm) / 25.4); dpi >= leastDPI && dpi <= maxDPI {
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
