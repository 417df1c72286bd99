package viewer

import (
	"fmt"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/view/format"
	"goated/ui/virtual"
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
	Rows   *virtual.List
	spin   *kit.Spinner
	Query  *kit.Input
	status status

	text    source
	Lines   *view.Lines
	columns int
	found   found
	job     int // the number of the latest job; results of earlier jobs are dropped

	OnCopy func(text string)
	OnSave func(name string, data []byte) // asks for a file and writes it
}

// status is the part of the head after the name and the search.
type status struct {
	facts  *kit.Label // the size of the text
	count  *kit.Label // the number of matches
	toggle *kit.Button
}

// source is the text in both forms.
type source struct {
	raw, pretty string // pretty is the formatted text; empty if unknown or not JSON
	plain       bool   // shows raw instead of pretty
	known       bool   // pretty has been computed
}

// shown returns the form of the text that the viewer shows.
func (s source) shown() string {
	if s.pretty != "" && !s.plain {
		return s.pretty
	}
	return s.raw
}

// found holds the matches of the query and the index of the current one.
type found struct {
	matches []view.Match
	at      int
}

// New returns a viewer of p. It breaks lines on the runner work.
func New(clk *kit.Clock, work kit.Runner, p view.Part) *Viewer {
	v := &Viewer{part: p, work: work, text: source{raw: p.Raw}}
	if p.Root != nil {
		v.text.pretty, v.text.known = p.Text, true
	}
	v.Rows = virtual.NewList(lineHeight, 0, func() fyne.CanvasObject { return newRow(v) }, func(i int, o fyne.CanvasObject) {
		o.(*row).show(i)
	})
	v.Rows.OnKey = func(*fyne.KeyEvent) bool { return false } // makes the list focusable before it can scroll
	v.Rows.OnResize = func(size fyne.Size) { v.fit(size.Width) }
	v.spin = kit.NewSpinner(clk)
	v.build(clk)
	return v
}

// Stop drops the result of a running read, and ends the animation. Call it when the sheet closes.
func (v *Viewer) Stop() {
	v.job++
	v.spin.SetRunning(false)
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
	v.status.facts = kit.NewLabel("", 13, kit.ColorMuted).Elided()
	if v.part.Kind == view.ImagePart {
		v.buildPicture(name, closed)
		return
	}
	head := kit.Inset(kit.Margin{Top: 16, Right: 16, Bottom: 6, Left: 24}, kit.Horizontal(12, v.status.facts, name, v.status.facts, v.spin, kit.NewButton(kit.Ghost, "close", "", closed).Small()))

	v.Query = kit.NewInput(clk, "Find", false)
	v.Query.OnTyped = v.search
	v.Query.OnSubmit = func() {
		if v.Query.Shift {
			v.Step(-1)
		} else {
			v.Step(1)
		}
	}
	v.status.count = kit.NewLabel("", 12, kit.ColorMuted)
	v.status.toggle = kit.NewButton(kit.Ghost, "", "Raw", func() { v.text.plain = !v.text.plain; v.read() }).Small()
	v.status.toggle.Hide()
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	bar := kit.Inset(kit.Margin{Top: 0, Right: 16, Bottom: 12, Left: 24}, kit.Horizontal(6, gap,
		kit.Sized(260, 38, kit.NewField(v.Query)),
		kit.NewButton(kit.Ghost, "chevron-up", "", func() { v.Step(-1) }).Small(),
		kit.NewButton(kit.Ghost, "chevron-down", "", func() { v.Step(1) }).Small(),
		v.status.count, gap, v.status.toggle,
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
	v.frame(top, page, v.Rows, closed)
}

// frame creates the sheet from a head and a page. first gets the focus.
func (v *Viewer) frame(top, page fyne.CanvasObject, first fyne.Focusable, closed func()) {
	foot := kit.Sized(1, 16, kit.NewPanel(kit.ColorNone, kit.ColorNone, 0))
	inner := container.New(&layout{head: top, page: page, foot: foot}, top, page, foot)

	ground := kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 16)
	ground.Shadow = true
	card := container.New(kit.Margin{}, ground, kit.NewBlocker(nil), inner)
	v.Sheet = &kit.Sheet{Slot: container.New(kit.Margin{}), First: first}
	v.Page = container.New(&kit.Centred{Width: viewerWidth, Inner: inner, Card: card}, card)
	v.Root = container.New(kit.Margin{}, kit.NewPanel(kit.ColorScrim, kit.ColorNone, 0), kit.NewBlocker(closed), v.Page, v.Slot)
}

// layout gives the page the height between head and foot.
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
func (v *Viewer) Text() string { return v.text.shown() }

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

// read breaks the text into rows and searches for the query, off the UI goroutine.
func (v *Viewer) read() {
	v.job++
	job, text, columns, query := v.job, v.text, v.columns, v.Query.Text
	v.spin.SetRunning(true)
	v.status.facts.Set(fmt.Sprintf("Reading %s…", format.Size(int64(len(text.raw)))))
	v.work.Run(func() func() {
		if !text.known {
			if pretty, ok := view.Pretty(text.raw); ok {
				text.pretty = pretty
			}
		}
		lines := view.NewLines(text.shown(), columns)
		matches := view.Find(text.shown(), query)
		return func() {
			if job == v.job {
				v.text.pretty, v.text.known = text.pretty, true
				v.show(lines, matches)
			}
		}
	})
}

// show replaces the rows and the matches.
func (v *Viewer) show(lines *view.Lines, matches []view.Match) {
	gutter := v.gutter()
	v.Lines, v.found = lines, found{matches: matches}
	v.spin.SetRunning(false)
	v.status.facts.Set(fmt.Sprintf("%s · %s", format.Size(int64(len(lines.Text))), view.LineCount(lines.Count())))
	v.status.toggle.Hidden = v.text.pretty == "" || v.text.pretty == v.text.raw
	if v.text.plain {
		v.status.toggle.SetText("Pretty")
	} else {
		v.status.toggle.SetText("Raw")
	}
	v.Rows.Set(lines.Len())
	v.showCount()
	v.Refit()
	if v.gutter() != gutter {
		v.fit(v.Rows.Size().Width)
	}
}
