package viewer

import (
	"fmt"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/view/format"
)

const (
	viewerWidth = 1120
	lineHeight  = 20 // height of a row
)

// A Viewer shows a text of any size. It formats, wraps and searches the text off
// the UI goroutine, and draws only the visible rows. Its methods belong to the UI
// goroutine.
type Viewer struct {
	*kit.Sheet
	part   view.Part
	work   kit.Runner
	Rows   *kit.List
	facts  *kit.Label
	Spin   *kit.Spinner
	Query  *kit.Input
	Found  *kit.Label
	toggle *kit.Button

	raw, pretty string // pretty is the formatted text; empty if unknown or not JSON
	plain       bool   // shows raw instead of pretty
	Lines       *view.Lines
	columns     int
	Matches     []view.Match
	Match       int
	Job         int  // the latest job; results of earlier jobs are dropped
	known       bool // pretty is computed

	OnCopy func(text string)
	OnSave func(name string, data []byte) // asks for a file and writes it
}

// New returns a viewer of p. It breaks lines on work.
func New(clk *kit.Clock, work kit.Runner, p view.Part) *Viewer {
	v := &Viewer{part: p, work: work, raw: p.Raw}
	if p.Root != nil {
		v.pretty, v.known = p.Text, true
	}
	v.Rows = kit.NewList(lineHeight, 0, func() fyne.CanvasObject { return newRow(v) }, func(i int, o fyne.CanvasObject) {
		o.(*row).show(i)
	})
	v.Rows.OnKey = func(*fyne.KeyEvent) bool { return false } // makes the list focusable before it can scroll
	v.Rows.OnResize = func(size fyne.Size) { v.fit(size.Width) }
	v.Spin = kit.NewSpinner(clk)
	v.build(clk)
	return v
}

func (v *Viewer) build(clk *kit.Clock) {
	closed := func() {
		if v.OnClose != nil {
			v.OnClose()
		}
	}
	title := v.part.Title
	if v.part.Name != "" {
		title = v.part.Name
	}
	name := kit.NewLabel(format.Cut(title, 60), 18, kit.ColorText).Strong()
	v.facts = kit.NewLabel("", 13, kit.ColorMuted).Elided()
	head := kit.Inset(kit.Margin{Top: 16, Right: 16, Bottom: 6, Left: 24}, kit.Horizontal(12, v.facts, name, v.facts, v.Spin, kit.NewButton(kit.Ghost, "close", "", closed).Small()))

	v.Query = kit.NewInput(clk, "Find", false)
	v.Query.OnTyped = v.search
	v.Query.OnSubmit = func() {
		if v.Query.Shift {
			v.Walk(-1)
		} else {
			v.Walk(1)
		}
	}
	v.Found = kit.NewLabel("", 12, kit.ColorMuted)
	v.toggle = kit.NewButton(kit.Ghost, "", "Raw", func() { v.plain = !v.plain; v.read() }).Small()
	v.toggle.Hide()
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	bar := kit.Inset(kit.Margin{Top: 0, Right: 16, Bottom: 12, Left: 24}, kit.Horizontal(6, gap,
		kit.Sized(260, 38, kit.NewField(v.Query)),
		kit.NewButton(kit.Ghost, "chevron-up", "", func() { v.Walk(-1) }).Small(),
		kit.NewButton(kit.Ghost, "chevron-down", "", func() { v.Walk(1) }).Small(),
		v.Found, gap, v.toggle,
		kit.NewButton(kit.Ghost, "copy", "Copy all", func() {
			if v.OnCopy != nil {
				v.OnCopy(v.Text())
			}
		}).Small(),
		kit.NewButton(kit.Ghost, "save", "Save…", func() {
			if v.OnSave != nil {
				v.OnSave(v.part.FileName(v.part.Title), []byte(v.Text()))
			}
		}).Small()))
	top := kit.Vertical(0, head, bar, kit.NewLine())
	page := container.New(kit.Margin{}, kit.NewPanel(kit.ColorSunken, kit.ColorNone, 0), kit.Inset(kit.Margin{Top: 6, Right: 0, Bottom: 6, Left: 0}, v.Rows.Root))
	foot := kit.Sized(1, 16, kit.NewPanel(kit.ColorNone, kit.ColorNone, 0))
	inner := container.New(&layout{head: top, page: page, foot: foot}, top, page, foot)

	ground := kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 16)
	ground.Shadow = true
	card := container.New(kit.Margin{}, ground, kit.NewBlocker(nil), inner)
	v.Sheet = &kit.Sheet{Slot: container.New(kit.Margin{}), First: v.Rows}
	v.Page = container.New(&kit.Centred{Width: viewerWidth, Inner: inner, Card: card}, card)
	v.Root = container.New(kit.Margin{}, kit.NewPanel(kit.ColorScrim, kit.ColorNone, 0), kit.NewBlocker(closed), v.Page, v.Slot)
}

// layout gives the text the height between head and foot.
type layout struct{ head, page, foot fyne.CanvasObject }

func (l *layout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	top, bottom := kit.HeightOf(l.head, size.Width), kit.HeightOf(l.foot, size.Width)
	kit.Place(l.head, 0, 0, size.Width, top)
	kit.Place(l.page, 0, top, size.Width, max(size.Height-top-bottom, 0))
	kit.Place(l.foot, 0, size.Height-bottom, size.Width, bottom)
}

func (l *layout) HeightFor([]fyne.CanvasObject, float32) float32 { return 1e6 }
func (l *layout) MinSize([]fyne.CanvasObject) fyne.Size          { return fyne.NewSize(100, 100) }

// Text returns the shown text: formatted or raw.
func (v *Viewer) Text() string {
	if v.pretty != "" && !v.plain {
		return v.pretty
	}
	return v.raw
}

// fit breaks the lines again if the number of columns changed.
func (v *Viewer) fit(width float32) {
	columns := int((width - v.gutter() - 24) / kit.MonoAdvance(13))
	if columns > 10 && columns != v.columns {
		v.columns = columns
		v.read()
	}
}

// gutter returns the width of the line numbers.
func (v *Viewer) gutter() float32 {
	digits := 5
	if v.Lines != nil {
		digits = max(digits, len(strconv.Itoa(v.Lines.Count())))
	}
	return float32(digits)*8 + 32
}

// read breaks the text into rows and finds the query, off the UI goroutine.
func (v *Viewer) read() {
	v.Job++
	job, raw, pretty, known, plain, columns, query := v.Job, v.raw, v.pretty, v.known, v.plain, v.columns, v.Query.Text
	v.Spin.Turn(true)
	v.facts.Set(fmt.Sprintf("Reading %s…", format.Size(int64(len(raw)))))
	v.work.Run(func() func() {
		if !known {
			if better, ok := view.Pretty(raw); ok {
				pretty = better
			}
		}
		text := raw
		if pretty != "" && !plain {
			text = pretty
		}
		lines := view.NewLines(text, columns)
		matches := view.Find(text, query)
		return func() {
			if job == v.Job {
				v.pretty, v.known = pretty, true
				v.show(lines, matches)
			}
		}
	})
}

// show replaces the rows and the matches.
func (v *Viewer) show(lines *view.Lines, matches []view.Match) {
	gutter := v.gutter()
	v.Lines, v.Matches, v.Match = lines, matches, 0
	v.Spin.Turn(false)
	v.facts.Set(fmt.Sprintf("%s · %s", format.Size(int64(len(lines.Text))), view.LineCount(lines.Count())))
	v.toggle.Hidden = v.pretty == "" || v.pretty == v.raw
	if v.plain {
		v.toggle.SetText("Pretty")
	} else {
		v.toggle.SetText("Raw")
	}
	v.Rows.Set(lines.Len())
	v.tally()
	v.Refit()
	if v.gutter() != gutter {
		v.fit(v.Rows.Size().Width)
	}
}
