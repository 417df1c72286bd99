package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
)

// A passageRenderer draws a passage. It keeps the objects that it has made and
// changes only those that differ: each text is a texture, and a refresh of the
// whole would make all of them anew.
type passageRenderer struct {
	p       *passage
	pulse   *canvas.Rectangle // refreshed so that the window is painted again
	texts   []*canvas.Text
	rects   []*canvas.Rectangle
	glyphs  []*glyph
	buttons []*button
	labels  []*label
	objects []fyne.CanvasObject

	nText, nRect, nGlyph int // that are in use
}

func (r *passageRenderer) Layout(size fyne.Size) {
	if size.Width != r.p.width {
		r.p.HeightFor(size.Width)
	}
	r.Refresh()
}

func (r *passageRenderer) MinSize() fyne.Size {
	w := r.p.Size().Width
	if w == 0 {
		w = 200
	}
	return fyne.NewSize(0, r.p.HeightFor(w))
}

func (r *passageRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *passageRenderer) Destroy()                     {}

func (r *passageRenderer) Refresh() {
	p := r.p
	r.nText, r.nRect, r.nGlyph = 0, 0, 0
	r.objects = append(r.objects[:0:0], r.pulse)
	if p.Size().Width == 0 {
		return
	}
	for _, s := range p.set.shapes {
		if p.drawn(s.y, s.y+s.h) {
			r.shape(s)
		}
	}
	marks := p.in.marksOf(p.item, p.part)
	for i := range p.set.lines {
		if l := &p.set.lines[i]; p.drawn(l.y, l.y+l.leading) {
			r.grounds(l)
			r.marks(l, marks)
		}
	}
	for i := range p.set.lines {
		if l := &p.set.lines[i]; p.drawn(l.y, l.y+l.leading) {
			r.line(l)
		}
	}
	r.heads()
	canvas.Refresh(r.pulse)
}

func (r *passageRenderer) shape(s shape) {
	if s.glyph == "" {
		r.rect(s.x, s.y, s.w, s.h, s.fill, s.stroke, s.radius)
		return
	}
	if r.nGlyph == len(r.glyphs) {
		r.glyphs = append(r.glyphs, newGlyph(s.glyph, s.w, s.fill))
	}
	g := r.glyphs[r.nGlyph]
	r.nGlyph++
	g.size = s.w
	g.set(s.glyph, s.fill)
	place(g, s.x, s.y, s.w, s.h)
	r.objects = append(r.objects, g)
}

func (r *passageRenderer) rect(x, y, w, h float32, fill, stroke fyne.ThemeColorName, radius float32) {
	if r.nRect == len(r.rects) {
		r.rects = append(r.rects, canvas.NewRectangle(color.Transparent))
	}
	o := r.rects[r.nRect]
	r.nRect++
	f, k, wide := theme.Color(fill), theme.Color(stroke), float32(1)
	if stroke == "" || stroke == colorNone {
		k, wide = color.Transparent, 0
	}
	if o.FillColor != f || o.StrokeColor != k || o.CornerRadius != radius {
		o.FillColor, o.StrokeColor, o.StrokeWidth, o.CornerRadius = f, k, wide, radius
		o.Refresh()
	}
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(w, h))
	r.objects = append(r.objects, o)
}

// grounds draws what lies behind words of code.
func (r *passageRenderer) grounds(l *setLine) {
	for _, f := range l.parts {
		if f.chip {
			r.rect(l.x+f.x-chipPad, l.y+(l.leading-l.size-6)/2, f.w+2*chipPad, l.size+6, colorBubble, colorNone, 5)
		}
	}
}

// marks draws what is selected and what is found.
func (r *passageRenderer) marks(l *setLine, marks []mark) {
	for _, m := range marks {
		from, to := max(m.from-l.at, l.textLine.at), min(m.to-l.at, l.end)
		if from >= to {
			continue
		}
		first, last := float32(-1), float32(0)
		for _, f := range l.parts {
			a, b := max(from, f.at), min(to, f.at+f.n)
			if a >= b {
				continue
			}
			if x := f.x + f.advance(r.p.in.gauge, l.size, a-f.at); first < 0 {
				first = x
			}
			last = f.x + f.advance(r.p.in.gauge, l.size, b-f.at)
		}
		if first >= 0 {
			r.rect(l.x+first, l.y, last-first, l.leading, m.color, colorNone, 0)
		}
	}
}

func (r *passageRenderer) line(l *setLine) {
	g := r.p.in.gauge
	body := g.rise(l.size, fyne.TextStyle{})
	baseline := l.y + (l.leading-body.height)/2 + body.base
	for _, f := range l.parts {
		ink := inkOf(f, l.ink)
		size := proseSize(l.size, f.chip)
		rise := g.rise(size, f.style)
		r.text(shown(f.text), l.x+f.x, baseline-rise.base, f.w, rise.height, size, f.style, ink)
		if f.strike {
			r.rect(l.x+f.x, baseline-l.size*0.33, f.w, 1, ink, colorNone, 0)
		}
		if f.link != "" && !f.quiet {
			r.rect(l.x+f.x, baseline+2, f.w, 1, ink, colorNone, 0)
		}
	}
}

func (r *passageRenderer) text(text string, x, y, w, h, size float32, style fyne.TextStyle, ink fyne.ThemeColorName) {
	if r.nText == len(r.texts) {
		r.texts = append(r.texts, canvas.NewText("", nil))
	}
	t := r.texts[r.nText]
	r.nText++
	if c := theme.Color(ink); t.Text != text || t.TextSize != size || t.TextStyle != style || t.Color != c {
		t.Text, t.TextSize, t.TextStyle, t.Color = text, size, style, c
		t.FontSource = faceOf(text, style)
		t.Refresh()
	}
	t.Move(fyne.NewPos(x, y))
	t.Resize(fyne.NewSize(w, h))
	r.objects = append(r.objects, t)
}

// heads draws what stands over listings.
func (r *passageRenderer) heads() {
	for i, c := range r.p.set.codes {
		if !r.p.drawn(c.y, c.y+40) {
			continue
		}
		if i == len(r.buttons) {
			r.buttons = append(r.buttons, newButton(ghost, "copy", "Copy", nil).small())
			r.labels = append(r.labels, newLabel("", 12, colorFaint).elided())
		}
		b, name := r.buttons[i], r.labels[i]
		b.OnTapped = func() { r.p.in.copy(c.text) }
		name.set(c.language)
		size := b.MinSize()
		place(b, c.x+c.w-size.Width-5, c.y+4, size.Width, size.Height)
		place(name, c.x+14, c.y+4, max(c.w-size.Width-34, 0), size.Height)
		r.objects = append(r.objects, name, b)
	}
}

// inkOf is the colour of a fragment in a text of that colour.
func inkOf(f fragment, ink fyne.ThemeColorName) fyne.ThemeColorName {
	switch {
	case f.quiet, f.strike:
		return colorFaint
	case f.link != "":
		return colorLink
	case f.tone != 0:
		return toneInk(f.tone)
	}
	return ink
}
