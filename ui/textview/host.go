// Package textview shows a block of Markdown as text that the user can select: it draws the lines of
// its layout, the marks behind them, the pictures and the heads of listings, and finds the character
// and the link at a position.
//
// It owns the caches of highlighted listings and of decoded pictures. A selection and the matches of a
// search span several views, so the [Host] owns them and handles the pointer. The package must not know
// the transcript.
package textview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"goated/ui/kit"
)

// A Host is everything that its views need of the page that shows them.
type Host struct {
	Press, Release func(*desktop.MouseEvent)
	Drag           func(*fyne.DragEvent)
	DragEnd        func()
	Menu           func(at fyne.Position, code string) // at is absolute
	Hover          func(item int, link string)
	OverLink       func() bool // the pointer is on a link
	Marks          func(item, part int) []Mark
	Copy           func(text string)
	Grow           func() float32 // points added to the usual text size
	Measure        *kit.WordMeasure
	Colours        *Colours
	Pictures       *Pictures
}

// A Mark is a range of a view with a background colour.
type Mark struct {
	From, To int
	Color    fyne.ThemeColorName
}
