package textview

import (
	"image/color"
	"sort"

	"goated/ui/kit"
	"goated/ui/markdown"
	"goated/ui/richtext"
	"goated/ui/typeset"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
)

// A renderer draws a text view. It keeps its objects and changes only those that differ, because
// each text is a texture and expensive to create.
type renderer struct {
	p       *View
	invalid *canvas.Rectangle // refreshing it repaints the window
	edges   pool[*canvas.Rectangle]
	glyphs  pool[*kit.Icon]
	texts   pool[*canvas.Text]
	shaped  pool[*typeset.Glyphs] // for text that the typefaces do not cover
	rects   pool[*canvas.Rectangle]
	head    heads // the heads of code blocks
	images  []drawnPicture
	behind  []fyne.CanvasObject // contains shapes
	front   []fyne.CanvasObject // contains lines
	objects []fyne.CanvasObject
	drawn   []drawing // the drawn lines
	marked  bool      // the drawn lines have marks
	fit     fit       // the geometry for which the drawing is valid
}

// heads are the copy buttons and the languages of code blocks.
type heads struct {
	buttons []*kit.Button
	labels  []*kit.Label
}

// A fit is the geometry for which a drawing is valid: a width, and the number of pixels per unit.
type fit struct{ width, scale float32 }

// A pool keeps objects for reuse in later drawings. The first used objects are drawn.
type pool[T any] struct {
	all  []T
	used int
}

// next returns an unused object. It calls create if there is none.
func (p *pool[T]) next(create func() T) T {
	if p.used == len(p.all) {
		p.all = append(p.all, create())
	}
	p.used++
	return p.all[p.used-1]
}

func newRectangle() *canvas.Rectangle { return canvas.NewRectangle(color.Transparent) }

func (r *renderer) Layout(size fyne.Size) {
	if size.Width != r.p.width {
		r.p.HeightFor(size.Width)
	}
	if size.Width != r.fit.width {
		r.Refresh()
	}
}

func (r *renderer) MinSize() fyne.Size {
	w := r.p.Size().Width
	if w == 0 {
		w = 200
	}
	return fyne.NewSize(0, r.p.HeightFor(w))
}

func (r *renderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *renderer) Destroy()                     {}

// A drawing records the numbers of objects before a line.
type drawing struct{ line, objects, texts, shaped, rects int }

// Refresh draws the visible part, from the first changed line on.
func (r *renderer) Refresh() {
	p := r.p
	r.fit.width, r.fit.scale = p.Size().Width, typeset.ScaleOf(p)
	if r.fit.width == 0 {
		r.objects = nil
		return
	}
	if p.width != r.fit.width { // HeightFor was called for another width
		p.HeightFor(r.fit.width)
		p.kept = 0
	}
	r.edges.used, r.glyphs.used = 0, 0
	r.behind = r.behind[:0]
	p.Set.Index()
	markdown.EachVisible(p.Set.Shapes, p.Set.Bounds.Shapes, 0, p.drawn, r.shape)
	marks := p.in.Marks(p.Item, p.Part)
	kept := p.kept
	if len(marks) > 0 || r.marked {
		kept = 0
	}
	r.marked = len(marks) > 0
	r.back(kept)
	markdown.EachVisible(p.Set.Lines, p.Set.Bounds.Lines, kept, p.drawn, func(i int, l *markdown.Line) {
		r.drawn = append(r.drawn, drawing{i, len(r.front), r.texts.used, r.shaped.used, r.rects.used})
		l.DrawChips(r)
		r.marks(l, marks)
		l.Draw(r, p.in.Measure, true)
	})
	r.objects = make([]fyne.CanvasObject, 0, len(r.behind)+len(r.front)+2*len(p.Set.Codes)+1)
	r.objects = append(append(append(r.objects, r.invalid), r.behind...), r.front...)
	r.heads()
	r.showPictures()
	canvas.Refresh(r.invalid)
}

// back removes the drawn lines from line on.
func (r *renderer) back(line int) {
	n := sort.Search(len(r.drawn), func(i int) bool { return r.drawn[i].line >= line })
	if n == len(r.drawn) {
		return
	}
	d := r.drawn[n]
	r.drawn, r.front = r.drawn[:n], r.front[:d.objects]
	r.texts.used, r.shaped.used, r.rects.used = d.texts, d.shaped, d.rects
}

func (r *renderer) shape(_ int, s *markdown.Shape) {
	if s.Icon == "" {
		edge := r.edges.next(newRectangle)
		paintRect(edge, s)
		r.behind = append(r.behind, edge)
		return
	}
	g := r.glyphs.next(func() *kit.Icon { return kit.NewIcon(s.Icon, s.W, s.Fill) })
	g.Side = s.W
	g.Set(s.Icon, s.Fill)
	kit.Place(g, s.X, s.Y, s.W, s.H)
	r.behind = append(r.behind, g)
}

// Rect draws a rectangle of a line. It implements [markdown.Pen].
func (r *renderer) Rect(x, y, w, h float32, fill fyne.ThemeColorName, radius float32) {
	o := r.rects.next(newRectangle)
	paintRect(o, &markdown.Shape{X: x, Y: y, W: w, H: h, Fill: fill, Radius: radius})
	r.front = append(r.front, o)
}

func paintRect(o *canvas.Rectangle, s *markdown.Shape) {
	f, k, wide := theme.Color(s.Fill), color.Color(color.Transparent), float32(0)
	if s.Stroke != "" && s.Stroke != kit.ColorNone {
		k, wide = theme.Color(s.Stroke), 1
	}
	if o.FillColor != f || o.StrokeColor != k || o.CornerRadius != s.Radius {
		o.FillColor, o.StrokeColor, o.StrokeWidth, o.CornerRadius = f, k, wide, s.Radius
		o.Refresh()
	}
	o.Move(fyne.NewPos(s.X, s.Y))
	o.Resize(fyne.NewSize(s.W, s.H))
}

// marks draws the backgrounds of the selection and the matches.
func (r *renderer) marks(l *markdown.Line, marks []Mark) {
	for _, m := range marks {
		from, to := max(m.From-l.At, l.Line.At), min(m.To-l.At, l.End)
		if from >= to {
			continue
		}
		first, last := float32(-1), float32(0)
		for _, f := range l.Parts {
			a, b := max(from, f.At), min(to, f.At+f.N)
			if a >= b {
				continue
			}
			from, to := f.X+f.Advance(r.p.in.Measure, l.TextSize, a-f.At), f.X+f.Advance(r.p.in.Measure, l.TextSize, b-f.At)
			if !l.Ordered() {
				r.Rect(l.X+min(from, to), l.Y, max(from, to)-min(from, to), l.Leading, m.Color, 0)
				continue
			}
			if first < 0 {
				first = from
			}
			last = to
		}
		if first >= 0 {
			r.Rect(l.X+first, l.Y, last-first, l.Leading, m.Color, 0)
		}
	}
}

// Glyphs draws text that the typefaces do not cover. It implements [markdown.Pen].
func (r *renderer) Glyphs(s *typeset.Text, x, baseline float32, ink fyne.ThemeColorName) {
	g := r.shaped.next(typeset.NewGlyphs)
	g.Show(s, theme.Color(ink), x, baseline, r.fit.scale)
	r.front = append(r.front, g.Raster)
}

// Text draws text that the typefaces cover. It implements [markdown.Pen].
func (r *renderer) Text(text string, x, y, w, h, size float32, style fyne.TextStyle, ink fyne.ThemeColorName) {
	t := r.texts.next(func() *canvas.Text { return canvas.NewText("", nil) })
	if c := theme.Color(ink); t.Text != text || t.TextSize != size || t.TextStyle != style || t.Color != c {
		t.Text, t.TextSize, t.TextStyle, t.Color = text, size, style, c
		t.FontSource = kit.FaceOf(text, style)
		t.Refresh()
	}
	t.Move(fyne.NewPos(typeset.Snap(x, r.fit.scale), typeset.Snap(y, r.fit.scale)))
	t.Resize(fyne.NewSize(w, h))
	r.front = append(r.front, t)
}

// heads draws the languages and the copy buttons of code blocks.
func (r *renderer) heads() {
	for i, c := range r.p.Set.Codes {
		if !r.p.drawn(c.Y, c.Y+40) {
			continue
		}
		if i == len(r.head.buttons) {
			r.head.buttons = append(r.head.buttons, kit.NewButton(kit.Ghost, "copy", "Copy", nil).Small())
			r.head.labels = append(r.head.labels, kit.NewLabel("", 12, kit.ColorFaint).Elided())
		}
		b, name := r.head.buttons[i], r.head.labels[i]
		b.OnTapped = func() { r.p.in.Copy(richtext.PlainText(c.Spans)) }
		name.Set(c.Language)
		size := b.MinSize()
		kit.Place(b, c.X+c.W-size.Width-5, c.Y+4, size.Width, size.Height)
		kit.Place(name, c.X+14, c.Y+4, max(c.W-size.Width-34, 0), size.Height)
		r.objects = append(r.objects, name, b)
	}
}
