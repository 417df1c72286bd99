package form

import (
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
)

// The size of a day in a calendar.
const (
	dayWidth  = 38
	dayHeight = 30
)

// newCalendar shows the month of day. If marked is true, day is marked as chosen. resized runs
// when the number of weeks changes, and choose receives the day that the user presses.
func newCalendar(day time.Time, marked bool, resized func(), choose func(time.Time)) fyne.CanvasObject {
	day = time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, time.UTC)
	first := day.AddDate(0, 0, 1-day.Day())
	name := kit.NewLabel("", 13, kit.ColorText).Strong().Elided()
	grid := container.New(weeks{})
	draw := func() {
		name.Set(first.Format("January 2006"))
		grid.Objects = nil
		monday := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
		for i := range 7 {
			grid.Add(kit.NewLabel(monday.AddDate(0, 0, i).Format("Mon"), 11, kit.ColorFaint))
		}
		for range (int(first.Weekday()) + 6) % 7 {
			grid.Add(kit.NewLabel("", 11, kit.ColorFaint))
		}
		for d := first; d.Month() == first.Month(); d = d.AddDate(0, 0, 1) {
			button := kit.NewButton(kit.Ghost, "", strconv.Itoa(d.Day()), func() { choose(d) }).Small()
			button.SetSelected(marked && d.Equal(day))
			grid.Add(button)
		}
		grid.Refresh()
	}
	turn := func(by int) func() {
		return func() {
			first = first.AddDate(0, by, 0)
			draw()
			resized()
		}
	}
	draw()
	head := kit.Horizontal(4, name, name, kit.NewButton(kit.Ghost, "chevron-left", "", turn(-1)).Small(), kit.NewButton(kit.Ghost, "chevron-right", "", turn(1)).Small())
	panel := kit.NewPanel(kit.ColorSurface, kit.ColorEdge, 10)
	body := kit.Boxed(panel, kit.Margin{Top: 8, Right: 10, Bottom: 10, Left: 12}, kit.Vertical(6, head, grid))
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	return kit.Horizontal(0, gap, body, gap)
}

// weeks lays out days in rows of seven.
type weeks struct{}

func (weeks) Layout(objects []fyne.CanvasObject, _ fyne.Size) {
	for i, o := range objects {
		size := o.MinSize()
		w, h := float32(dayWidth-4), float32(dayHeight-2)
		if _, ok := o.(*kit.Label); ok {
			w, h = min(size.Width, w), min(size.Height, h)
		}
		kit.Place(o, float32(i%7)*dayWidth+(dayWidth-w)/2, float32(i/7)*dayHeight+(dayHeight-h)/2, w, h)
	}
}

func (weeks) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(7*dayWidth, float32((len(objects)+6)/7)*dayHeight)
}
