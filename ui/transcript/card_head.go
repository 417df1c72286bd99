package transcript

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
)

// A cardHead is the only line of a closed card.
type cardHead struct {
	Mark, chevron                       *kit.Icon
	tool, server, preview, Took, Status *kit.Label
	spin                                *kit.Spinner
}

// headHeight is the height of that line.
const headHeight = 48

// build returns the line. A press on spot opens the card.
func (h *cardHead) build(clock *kit.Clock, spot *kit.Tappable, icon string) *fyne.Container {
	h.tool = kit.NewLabel("", 14, kit.ColorText).Strong()
	h.server = kit.NewLabel("", 13, kit.ColorFaint)
	h.preview = kit.NewLabel("", 12, kit.ColorFaint).Mono().Elided()
	h.Took = kit.NewLabel("", 12, kit.ColorFaint)
	h.Status = kit.NewLabel("", 12, kit.ColorMuted).Medium()
	h.Mark = kit.NewIcon("check", 16, kit.ColorGood)
	h.chevron = kit.NewIcon("chevron-right", 14, kit.ColorFaint)
	h.spin = kit.NewSpinner(clock)
	badge := container.New(kit.Fixed{Min: fyne.NewSize(30, 30)}, kit.NewPanel(kit.ColorSoft, kit.ColorNone, 8), kit.NewIcon(icon, 16, kit.ColorAccent))
	state := container.New(kit.Fixed{Min: fyne.NewSize(16, 16)}, h.spin, h.Mark)
	line := kit.Horizontal(10, h.preview, badge, h.tool, h.server, h.preview, h.Took, h.Status, state, h.chevron)
	return container.New(kit.Fixed{Min: fyne.NewSize(1, headHeight)}, spot, kit.Inset(kit.Margin{Top: 0, Right: 14, Bottom: 0, Left: 10}, line))
}
