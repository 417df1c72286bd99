// The smallest Fyne window: the floor under what goated's costs.
package main

import (
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/widget"
)

func main() {
	w := app.NewWithID("hello").NewWindow("goated hello")
	w.SetContent(widget.NewLabel("hello"))
	w.ShowAndRun()
}
