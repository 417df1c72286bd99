package inspector

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/inspect"
	"goated/ui/kit"
	"goated/ui/view/format"
	"goated/ui/virtual"
)

// figureNames are the columns of the sheet with all statistics, and their widths. The first
// column gets the remaining width.
var figureNames = []struct {
	name  string
	width float32
}{{"Tool", 0}, {"Server", 110}, {"Calls", 62}, {"Errors", 62}, {"Success", 70}, {"Mean", 72}, {"p50", 72}, {"p99", 72}, {"Tokens", 64}, {"Last use", 76}}

// openFigures shows the statistics of all tools in a sheet.
func (p *Page) openFigures() {
	all := p.tiles.all
	rows := virtual.NewList(30, 420, func() fyne.CanvasObject { return figureRow(kit.ColorText) }, func(i int, o fyne.CanvasObject) {
		for c, text := range p.figureTexts(all[i]) {
			cell := o.(*fyne.Container).Objects[c].(*kit.Label)
			cell.Text = text
			cell.Refresh()
		}
	})
	rows.Set(len(all))
	head := figureRow(kit.ColorMuted)
	for i, n := range figureNames {
		head.Objects[i].(*kit.Label).Text = n.name
	}
	note := kit.NewText("Times are from a request to its answer; the percentiles are of the newest 1,000 calls. Tokens are those of the tool's definition, which each request to the model contains.", 12, 18, kit.ColorMuted)
	s := kit.NewSheet(960, "Figures of the tools", kit.Vertical(0, kit.Sized(1, 30, head), kit.NewLine(), rows.Root, kit.Inset(kit.Margin{Top: 12, Right: 0, Bottom: 0, Left: 0}, note)), nil)
	s.OnClose = func() { p.shell.Sheets.Shut(s) }
	p.shell.Sheets.Open(s)
}

func figureRow(color fyne.ThemeColorName) *fyne.Container {
	c := container.New(figureLayout{})
	for i := range figureNames {
		l := kit.NewLabel("", 12, color).Mono().Elided()
		l.Right = i > 1
		c.Add(l)
	}
	return c
}

// figureLayout places the columns of the statistics.
type figureLayout struct{}

func (figureLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	rest := size.Width - virtual.ListBarWidth
	for _, n := range figureNames {
		rest -= n.width
	}
	x := float32(0)
	for i, o := range objects {
		w := figureNames[i].width
		if i == 0 {
			w = max(rest, 120)
		}
		kit.Place(o, x, 0, w-8, size.Height)
		x += w
	}
}

func (figureLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(300, 20) }

// figureTexts returns the cells for a tool.
func (p *Page) figureTexts(f inspect.Figures) []string {
	out := []string{f.Tool, p.on.Name(f.Server), format.Grouped(f.Calls), format.Grouped(f.Errors), "–", "–", "–", "–", "–", f.Last.Local().Format("15:04:05")}
	if f.Answered+f.Errors > 0 {
		out[4] = fmt.Sprintf("%.1f%%", 100*f.Success)
	}
	if f.Answered > 0 {
		out[5], out[6], out[7] = took(f.Mean), took(f.P50), took(f.P99)
	}
	if f.Tokens > 0 {
		out[8] = format.Grouped(f.Tokens)
	}
	return out
}
