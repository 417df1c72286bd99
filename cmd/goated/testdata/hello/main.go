// Command hello opens the smallest Fyne window, as the lower limit for the cost of goated's. With a
// width and a height, it opens a window of that size.
package main

import (
	"os"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/widget"
)

func main() {
	w := app.NewWithID("hello").NewWindow("goated hello")
	w.SetContent(widget.NewLabel("hello"))
	if len(os.Args) == 3 {
		width, _ := strconv.Atoi(os.Args[1])
		height, _ := strconv.Atoi(os.Args[2])
		w.Resize(fyne.NewSize(float32(width), float32(height)))
	}
	w.ShowAndRun()
}
