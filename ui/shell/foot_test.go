package shell_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"goated/ui/kit"
	"goated/ui/shell"
)

// A narrow window has no room for the buttons of an approval beside "1 of 2". No button may
// extend beyond the sheet, and none may overlap another.
func TestFootFits(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(kit.Theme{Measure: kit.NewMeasure()})
	for _, hidden := range []bool{true, false} {
		for _, width := range []float32{200, 300, 400, 420, 600} {
			var buttons []fyne.CanvasObject
			for _, text := range []string{"Always allow this tool", "Deny", "Allow"} {
				buttons = append(buttons, kit.NewButton(kit.Outline, "", text, nil))
			}
			count := &shell.Counter{Button: kit.NewButton(kit.Pill, "chevron-down", "1 of 2", nil)}
			count.Hidden = hidden
			foot := shell.Foot(count, buttons...)
			size := fyne.NewSize(width, kit.HeightOf(foot, width))
			foot.Resize(size)
			row := foot.Objects[1].Position()
			taken := map[fyne.Position]fyne.Size{}
			if !hidden {
				taken[count.Button.Position()] = count.Button.Size()
			}
			for _, b := range buttons {
				taken[row.Add(b.Position())] = b.Size()
			}
			for p, s := range taken {
				if p.X < 0 || p.Y < 0 || p.X+s.Width > size.Width || p.Y+s.Height > size.Height+0.5 {
					t.Errorf("%v at %v is not within %v", s, p, size)
				}
				for q, z := range taken {
					if p != q && p.X < q.X+z.Width && q.X < p.X+s.Width && p.Y < q.Y+z.Height && q.Y < p.Y+s.Height {
						t.Errorf("in %g, %v at %v covers %v at %v", width, s, p, z, q)
					}
				}
			}
			if !hidden && len(taken) != 4 || hidden && len(taken) != 3 {
				t.Errorf("in %g, buttons lie upon each other: %v", width, taken)
			}
		}
	}
}
