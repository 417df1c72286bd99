package markdown

import (
	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/typeset"
)

// A Pen draws the parts of lines and owns the objects. It aligns texts to whole pixels.
type Pen interface {
	Rect(x, y, w, h float32, fill fyne.ThemeColorName, radius float32)
	Glyphs(s *typeset.Text, x, baseline float32, ink fyne.ThemeColorName)
	Text(text string, x, y, w, h, size float32, style fyne.TextStyle, ink fyne.ThemeColorName)
}

// DrawChips draws the backgrounds of inline code. Marks for parts of the line are drawn above
// them.
func (l *Line) DrawChips(p Pen) {
	for _, c := range l.Chips() {
		p.Rect(l.X+c.X, l.Y+(l.Leading-l.TextSize-6)/2, c.W, l.TextSize+6, kit.ColorBubble, 5)
	}
}

// Draw draws the text of a line. links means that the user can open links. Links and code then
// have colours.
func (l *Line) Draw(p Pen, measure *kit.WordMeasure, links bool) {
	body := measure.Rise(l.TextSize, fyne.TextStyle{})
	baseline := l.Y + (l.Leading-body.Height)/2 + body.Base
	for _, f := range l.Parts {
		ink := inkOf(f, l.Ink, links)
		if s := f.Shaped(l.TextSize); s != nil {
			p.Glyphs(s, l.X+f.X+(f.W-s.Width)*float32(f.Level%2), baseline, ink)
		} else {
			size := kit.RunSize(l.TextSize, f.Code)
			rise := measure.Rise(size, f.Font)
			p.Text(kit.Shown(f.Text), l.X+f.X, baseline-rise.Base, f.W, rise.Height, size, f.Font, ink)
		}
		if f.Strike {
			p.Rect(l.X+f.X, baseline-l.TextSize*0.33, f.W, 1, ink, 0)
		}
		if links && f.Link != "" && !f.Quiet {
			p.Rect(l.X+f.X, baseline+2, f.W, 1, ink, 0)
		}
	}
}

// inkOf returns the colour of a fragment in a text with the colour ink.
func inkOf(f kit.Fragment, ink fyne.ThemeColorName, links bool) fyne.ThemeColorName {
	switch {
	case f.Quiet, f.Strike:
		return kit.ColorFaint
	case !links:
		return ink
	case f.Link != "":
		return kit.ColorLink
	case f.Tone != 0:
		return kit.ToneColor(f.Tone)
	}
	return ink
}
