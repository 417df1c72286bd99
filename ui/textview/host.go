// Package textview shows a block of Markdown as text that the user can select. It draws the lines
// of the layout, the marks behind them, the pictures and the heads of code blocks, and finds the
// character and the link at a position.
//
// It owns the caches of highlighted code blocks and of decoded pictures. A selection and the
// matches of a search span several views, so the [Host] owns them and handles the pointer. The
// package must not depend on the transcript.
package textview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"goated/ui/kit"
)

// A Host is what the views need from the page that shows them.
type Host struct {
	Press, Release func(*desktop.MouseEvent)
	Drag           func(*fyne.DragEvent)
	DragEnd        func()
	Menu           func(at fyne.Position, code string) // at is an absolute position
	Hover          func(item int, link string)
	OverLink       func() bool // reports whether the pointer is on a link
	Marks          func(item, part int) []Mark
	Copy           func(text string)
	Grow           func() float32 // returns how many points are added to the usual text size
	Measure        *kit.WordMeasure
	Colours        *Colours
	Pictures       *Pictures
}

// A Mark is a range of a view with a background colour.
type Mark struct {
	From, To int
	Color    fyne.ThemeColorName
}
