package inspector

import (
	"cmp"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/internal/safetext"
	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/virtual"
)

const (
	lineHeight = 19
	textSize   = 12
	textPad    = 13
)

// A text shows a frame line by line, either as formatted JSON with foldable parts, or as the
// bytes that were sent. Only the visible lines have objects.
type text struct {
	*virtual.List
	doc     *block // nil: not JSON, or raw
	plain   string // used without doc
	lines   []line
	columns int    // the number of characters per line
	changed func() // the height may have changed
}

func newText(changed func()) *text {
	t := &text{changed: changed}
	t.List = virtual.NewList(lineHeight, 0, func() fyne.CanvasObject { return newLineRow(t) }, func(i int, o fyne.CanvasObject) { o.(*lineRow).show(i) })
	t.OnResize = func(size fyne.Size) { t.fit(size.Width) }
	return t
}

// show shows data from its beginning. cut means that the end is missing.
func (t *text) show(data []byte, cut, raw bool) {
	t.doc, t.plain = nil, string(data)
	if !raw {
		shown := cmp.Or(streamed(t.plain, cut), t.plain)
		n, ok := view.ParseNode(shown)
		if !ok && cut {
			n, ok = view.ParseNode(mended(shown))
		}
		if ok {
			t.doc = newBlock(n, "")
		}
	}
	t.columns = 0
	t.Offset = 0
	t.fit(t.Size().Width)
}

// streamed returns a stream of server-sent events as a JSON array of their data, or "" if the
// text is no such stream. cut means that the end of the text is missing.
func streamed(text string, cut bool) string {
	if !strings.HasPrefix(text, "data:") {
		return ""
	}
	var events []string
	for l := range strings.Lines(text) {
		data, found := strings.CutPrefix(strings.TrimSpace(l), "data:")
		switch {
		case found && json.Valid([]byte(data)):
			events = append(events, data)
		case found && cut && json.Valid([]byte(mended(data))): // the last event
			events = append(events, mended(data))
		case found || strings.TrimSpace(l) != "": // cut off, or another kind of line
			return ""
		}
	}
	return "[" + strings.Join(events, ",") + "]"
}

// fit breaks the lines for a width.
func (t *text) fit(width float32) {
	columns := max(int((width-2*textPad)/kit.MonoAdvance(textSize)), 20)
	if columns == t.columns || width <= 0 {
		return
	}
	t.columns = columns
	t.flatten()
}

func (t *text) flatten() {
	t.lines = t.lines[:0]
	if t.doc != nil {
		t.lines = t.doc.lines(t.lines, 0, t.columns, "")
	} else {
		for _, l := range wrap(t.plain, t.columns) {
			t.lines = append(t.lines, line{parts: []span{{l, kit.ColorText}}})
		}
	}
	t.Set(len(t.lines))
}

// height returns the height of all lines at a width.
func (t *text) height(width float32) float32 {
	t.fit(width)
	return float32(len(t.lines)) * lineHeight
}

// toggle folds or opens the block that begins in line i.
func (t *text) toggle(i int) {
	if b := t.lines[i].fold; b != nil {
		b.open = !b.open
		t.flatten()
		t.changed()
	}
}

// wrap breaks a text into lines with at most the given number of characters.
func wrap(s string, columns int) (out []string) {
	for l := range strings.SplitSeq(s, "\n") {
		l = safetext.OneLine(strings.ReplaceAll(strings.TrimSuffix(l, "\r"), "\t", "    "))
		for utf8.RuneCountInString(l) > columns {
			at := 0
			for range columns {
				_, n := utf8.DecodeRuneInString(l[at:])
				at += n
			}
			out, l = append(out, l[:at]), l[at:]
		}
		out = append(out, l)
	}
	return out
}

// A line is one line of a text.
type line struct {
	indent int // the number of characters
	parts  []span
	secret bool   // the second to last part is the chip for a secret
	fold   *block // the block that a press folds or opens; nil: none
}

// A span is a text in one colour.
type span struct {
	text  string
	color fyne.ThemeColorName
}

// A lineRow draws a line.
type lineRow struct {
	widget.BaseWidget
	t       *text
	at      int
	hovered bool
	ground  *kit.Panel
	chip    *kit.Panel
	spans   []*kit.Label
}

// maxSpans is the maximal number of differently coloured parts of a line: name, colon, value,
// end.
const maxSpans = 5

func newLineRow(t *text) *lineRow {
	r := &lineRow{t: t, ground: kit.NewPanel(kit.ColorNone, kit.ColorNone, 4), chip: kit.NewPanel(kit.ColorWarnSoft, kit.ColorNone, 5)}
	for range maxSpans {
		r.spans = append(r.spans, kit.NewLabel("", textSize, kit.ColorText).Mono())
	}
	r.ExtendBaseWidget(r)
	return r
}

func (r *lineRow) show(i int) {
	r.at = i
	r.paint()
	r.Refresh()
}

func (r *lineRow) paint() {
	fill := kit.ColorNone
	if r.hovered && r.at < len(r.t.lines) && r.t.lines[r.at].fold != nil {
		fill = theme.ColorNameHover
	}
	r.ground.Paint(fill, kit.ColorNone)
}

func (r *lineRow) Tapped(*fyne.PointEvent)        { r.t.toggle(r.at) }
func (r *lineRow) MouseIn(*desktop.MouseEvent)    { r.hovered = true; r.paint() }
func (r *lineRow) MouseMoved(*desktop.MouseEvent) {}
func (r *lineRow) MouseOut()                      { r.hovered = false; r.paint() }
func (r *lineRow) Cursor() desktop.Cursor {
	if r.at < len(r.t.lines) && r.t.lines[r.at].fold != nil {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

func (r *lineRow) CreateRenderer() fyne.WidgetRenderer {
	objects := []fyne.CanvasObject{r.ground, r.chip}
	for _, s := range r.spans {
		objects = append(objects, s)
	}
	return &lineRenderer{r, objects}
}

type lineRenderer struct {
	r       *lineRow
	objects []fyne.CanvasObject
}

func (r *lineRenderer) Layout(size fyne.Size) {
	w := r.r
	kit.Place(w.ground, 4, 0, max(size.Width-8, 0), size.Height)
	w.chip.Hide()
	if w.at >= len(w.t.lines) {
		return
	}
	l := w.t.lines[w.at]
	advance := kit.MonoAdvance(textSize)
	x := textPad + float32(l.indent)*advance
	for i, s := range w.spans {
		if s.Hidden = i >= len(l.parts); s.Hidden {
			continue
		}
		s.Text, s.Color = l.parts[i].text, l.parts[i].color
		width := s.Measure(safetext.OneLine(s.Text)).Width
		if l.secret && i == len(l.parts)-2 {
			w.chip.Show()
			kit.Place(w.chip, x, 1, width+12, size.Height-2)
			x += 6
			kit.Place(s, x, 0, width, size.Height)
			x += width + 6
			continue
		}
		kit.Place(s, x, 0, width, size.Height)
		x += width
	}
}

func (r *lineRenderer) MinSize() fyne.Size { return fyne.NewSize(40, lineHeight) }

func (r *lineRenderer) Refresh() {
	r.Layout(r.r.Size())
	for _, s := range r.r.spans {
		s.Refresh()
	}
}

func (r *lineRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *lineRenderer) Destroy()                     {}
