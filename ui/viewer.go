package ui

import (
	"fmt"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/view"
)

const (
	viewerWidth = 1120
	viewerLine  = 20 // height of a row
)

// A viewer shows a text of any size. To make it readable, to part it into rows
// and to search it are done on other goroutines; drawn are the rows in sight.
type viewer struct {
	*sheet
	part   view.Part
	work   runner
	rows   *roll
	facts  *label
	spin   *spinner
	query  *input
	found  *label
	toggle *button

	raw, pretty string // pretty is empty until it is known, or if there is none
	plain       bool   // raw is shown although there is a pretty one
	lines       *view.Lines
	columns     int
	matches     []view.Match
	match       int
	job         int // of the last work begun; what earlier work finds is dropped
	known       bool

	OnCopy func(text string)
	OnSave func(name string, data []byte) // asks for a place, and writes
}

func newViewer(clk *clock, work runner, p view.Part) *viewer {
	v := &viewer{part: p, work: work, raw: p.Raw}
	if p.Root != nil {
		v.pretty, v.known = p.Text, true
	}
	v.rows = newRoll(viewerLine, 0, func() fyne.CanvasObject { return newViewerRow(v) }, func(i int, o fyne.CanvasObject) {
		o.(*viewerRow).show(i)
	})
	v.rows.OnKey = func(*fyne.KeyEvent) bool { return false } // it takes the focus before there is anything to scroll
	v.rows.OnResize = func(size fyne.Size) { v.fit(size.Width) }
	v.spin = newSpinner(clk)
	v.build(clk)
	return v
}

func (v *viewer) build(clk *clock) {
	closed := func() {
		if v.OnClose != nil {
			v.OnClose()
		}
	}
	title := v.part.Title
	if v.part.Name != "" {
		title = v.part.Name
	}
	name := newLabel(view.Cut(title, 60), 18, colorText).strong()
	v.facts = newLabel("", 13, colorMuted).elided()
	head := inset(margin{16, 16, 6, 24}, horizontal(12, v.facts, name, v.facts, v.spin, newButton(ghost, "close", "", closed).small()))

	v.query = newInput(clk, "Find", false)
	v.query.OnTyped = v.search
	v.query.OnSubmit = func() {
		if v.query.shift {
			v.walk(-1)
		} else {
			v.walk(1)
		}
	}
	v.found = newLabel("", 12, colorMuted)
	v.toggle = newButton(ghost, "", "Raw", func() { v.plain = !v.plain; v.read() }).small()
	v.toggle.Hide()
	gap := newLabel("", 12, colorFaint).elided()
	bar := inset(margin{0, 16, 12, 24}, horizontal(6, gap,
		sized(260, 38, newField(v.query)),
		newButton(ghost, "chevron-up", "", func() { v.walk(-1) }).small(),
		newButton(ghost, "chevron-down", "", func() { v.walk(1) }).small(),
		v.found, gap, v.toggle,
		newButton(ghost, "copy", "Copy all", func() {
			if v.OnCopy != nil {
				v.OnCopy(v.text())
			}
		}).small(),
		newButton(ghost, "save", "Save…", func() {
			if v.OnSave != nil {
				v.OnSave(v.part.FileName(v.part.Title), []byte(v.text()))
			}
		}).small()))
	top := vertical(0, head, bar, newLine())
	page := container.New(margin{}, newPanel(colorSunken, colorNone, 0), inset(margin{6, 0, 6, 0}, v.rows.root))
	foot := sized(1, 16, newPanel(colorNone, colorNone, 0))
	inner := container.New(&viewerLayout{head: top, page: page, foot: foot}, top, page, foot)

	ground := newPanel(colorSurface, colorBorder, 16)
	ground.shadow = true
	card := container.New(margin{}, ground, newCatch(nil), inner)
	v.sheet = &sheet{slot: container.New(margin{}), first: v.rows}
	v.page = container.New(&centred{width: viewerWidth, inner: inner, card: card}, card)
	v.root = container.New(margin{}, newPanel(colorScrim, colorNone, 0), newCatch(closed), v.page, v.slot)
}

// viewerLayout gives the text all the room that there is.
type viewerLayout struct{ head, page, foot fyne.CanvasObject }

func (l *viewerLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	top, bottom := heightOf(l.head, size.Width), heightOf(l.foot, size.Width)
	place(l.head, 0, 0, size.Width, top)
	place(l.page, 0, top, size.Width, max(size.Height-top-bottom, 0))
	place(l.foot, 0, size.Height-bottom, size.Width, bottom)
}

func (l *viewerLayout) heightFor([]fyne.CanvasObject, float32) float32 { return 1e6 }
func (l *viewerLayout) MinSize([]fyne.CanvasObject) fyne.Size          { return fyne.NewSize(100, 100) }

// text is what is shown now.
func (v *viewer) text() string {
	if v.pretty != "" && !v.plain {
		return v.pretty
	}
	return v.raw
}

// fit parts the text anew if other rows have room now.
func (v *viewer) fit(width float32) {
	columns := int((width - v.gutter() - 24) / monoAdvance(13))
	if columns > 10 && columns != v.columns {
		v.columns = columns
		v.read()
	}
}

// gutter is the room for the numbers of the lines.
func (v *viewer) gutter() float32 {
	digits := 5
	if v.lines != nil {
		digits = max(digits, len(strconv.Itoa(v.lines.Count())))
	}
	return float32(digits)*8 + 32
}

// read makes rows of the text, and finds in it what is looked for.
func (v *viewer) read() {
	v.job++
	job, raw, pretty, known, plain, columns, query := v.job, v.raw, v.pretty, v.known, v.plain, v.columns, v.query.Text
	v.spin.turn(true)
	v.facts.set(fmt.Sprintf("Reading %s…", view.Size(int64(len(raw)))))
	v.work.run(func() func() {
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
			if job == v.job {
				v.pretty, v.known = pretty, true
				v.show(lines, matches)
			}
		}
	})
}

// show draws what was read.
func (v *viewer) show(lines *view.Lines, matches []view.Match) {
	gutter := v.gutter()
	v.lines, v.matches, v.match = lines, matches, 0
	v.spin.turn(false)
	v.facts.set(fmt.Sprintf("%s · %s", view.Size(int64(len(lines.Text))), view.LineCount(lines.Count())))
	v.toggle.Hidden = v.pretty == "" || v.pretty == v.raw
	if v.plain {
		v.toggle.setText("Pretty")
	} else {
		v.toggle.setText("Raw")
	}
	v.rows.set(lines.Len())
	v.tally()
	v.refit()
	if v.gutter() != gutter {
		v.fit(v.rows.Size().Width)
	}
}
