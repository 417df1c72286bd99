package approval

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/internal/safetext"
	"goated/ui/kit"
)

// Asker shows on one line which program receives the answer, because the title contains only the
// name that the server chose for itself. A press shows all that is known about the server.
// resized runs when that changes the height.
func Asker(from client.Asker, resized func()) fyne.CanvasObject {
	start := safetext.OneLine(safetext.Cut(from.Start, 300))
	goes := kit.NewLabel("Your answer goes to", 12, kit.ColorMuted)
	program := kit.NewLabel(start, 12, kit.ColorText).Mono().Elided()
	all := kit.Facts("Asked by", "the server "+safetext.Name(from.Name), "It runs", start,
		"Answer goes", "to this server. It can use your answer in any way.")
	all.Hide()
	more := kit.NewButton(kit.Ghost, "chevron-right", "Details", nil).Small().Trailing()
	more.OnTapped = func() {
		if all.Visible() {
			all.Hide()
			more.SetIcon("chevron-right")
		} else {
			all.Show()
			more.SetIcon("chevron-down")
		}
		resized()
	}
	line := container.New(kit.Row{Gap: 6, Flex: program}, goes, program, more)
	return kit.Vertical(6, line, all)
}
