// Package chip draws a file of a message as a chip, with its kind, its name, its size and its
// buttons.
//
// It has no state besides its widgets. It must not depend on the message of the file.
package chip

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/view"
)

// Actions are the actions for a file. A nil function hides its button.
type Actions struct {
	Open   func() // runs on a press on the chip
	Text   func() // puts a pasted text back into the message
	Remove func()
	Tips   *kit.Tooltips // show the names of the buttons; nil without buttons
}

// New returns a chip for an attachment.
func New(a view.Attachment, on Actions) *fyne.Container {
	var mark fyne.CanvasObject
	switch {
	case a.Preview != nil:
		img := canvas.NewImageFromImage(a.Preview)
		img.FillMode = canvas.ImageFillCover
		img.CornerRadius = 7
		mark = kit.Sized(38, 38, img)
	case a.Image():
		mark = kit.Sized(38, 38, kit.Boxed(kit.NewPanel(kit.ColorSoft, kit.ColorNone, 7), kit.Margin{}, kit.NewIcon("image", 18, kit.ColorAccent)))
	default:
		icon := "file"
		if strings.HasPrefix(a.Type, "audio/") {
			icon = "sound"
		}
		mark = kit.Sized(38, 38, kit.Boxed(kit.NewPanel(kit.ColorSoft, kit.ColorNone, 7), kit.Margin{}, kit.NewIcon(icon, 18, kit.ColorAccent)))
	}
	words := kit.Vertical(1, kit.NewLabel(a.Name, 13, kit.ColorText).Elided(), kit.NewLabel(a.Kind(), 11, kit.ColorFaint).Elided())
	parts := []fyne.CanvasObject{mark, words}
	offer := func(icon, tip string, do func()) {
		if do != nil {
			parts = append(parts, on.Tips.Name(kit.NewButton(kit.Ghost, icon, "", do).Small(), tip, kit.Shortcut{}))
		}
	}
	offer("pencil", "Put the text into the message", on.Text)
	offer("close", "Remove", on.Remove)
	inner := kit.Inset(kit.Margin{Top: 6, Right: 6, Bottom: 6, Left: 6}, container.New(kit.Row{Gap: 10, Flex: words}, parts...))
	whole := container.New(kit.Fixed{Min: kit.ChipSize()}, kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 12))
	if on.Open != nil {
		whole.Add(kit.NewTappable(12, on.Open))
	}
	whole.Add(inner)
	return whole
}
