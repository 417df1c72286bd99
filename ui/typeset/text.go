package typeset

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"github.com/go-text/render"
	"github.com/go-text/typesetting/segmenter"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// A Text is a shaped text. It does not change.
type Text struct {
	Width           float32
	Ascent, Descent float32 // of its tallest font, above and below the baseline
	RTL             bool    // its paragraph runs from right to left
	size            float32
	runs            []run
	carets          []float32 // where each character begins, and the end
	first           []bool    // where a character as people read it begins
	boxes           []float32 // the left edges of what no font has
}

type run struct {
	out shaping.Output
	x   float32
}

// place adds a shaped piece at the right end.
func (t *Text) place(out shaping.Output, p piece) {
	t.Ascent = max(t.Ascent, float(out.LineBounds.Ascent))
	t.Descent = max(t.Descent, -float(out.LineBounds.Descent))
	t.runs = append(t.runs, run{out, t.Width})
	x := t.Width
	for i := 0; i < len(out.Glyphs); {
		g := out.Glyphs[i]
		n := max(g.GlyphCount, 1)
		wide := float32(0)
		for _, g := range out.Glyphs[i:min(i+n, len(out.Glyphs))] {
			wide += float(g.XAdvance)
		}
		t.spread(g.ClusterIndex, min(g.ClusterIndex+g.RuneCount, p.to), x, wide, p.level%2 == 1)
		x += wide
		i += n
	}
	t.Width = x
}

// spread sets the carets of the characters that share glyphs, from x on: those that
// people read as characters have equal parts of the width.
func (t *Text) spread(from, to int, x, wide float32, rtl bool) {
	parts := 0
	for i := from; i < to; i++ {
		if t.first[i] {
			parts++
		}
	}
	part := wide / float32(max(parts, 1))
	at := x
	if rtl {
		at = x + wide
	}
	seen := 0
	for i := from; i < to; i++ {
		if t.first[i] {
			seen++
		}
		k := part * float32(max(seen-1, 0))
		if rtl {
			k = -k
		}
		t.carets[i] = at + k
	}
}

// boxWidth is the width of the box for what no font has, in text sizes.
const boxWidth = 0.7

// placeBox adds a box at the right end.
func (t *Text) placeBox(p piece) {
	wide := t.size * boxWidth
	t.boxes = append(t.boxes, t.Width)
	t.spread(p.from, p.to, t.Width, wide, p.level%2 == 1)
	t.Width += wide
	t.Ascent = max(t.Ascent, t.size*0.9)
}

// float converts a length in 64ths.
func float(v fixed.Int26_6) float32 { return float32(v) / 64 }

// Caret returns where the character n begins, from the left edge; after the last one,
// where the text ends.
func (t *Text) Caret(n int) float32 { return t.carets[max(0, min(n, len(t.carets)-1))] }

// Index returns the boundary between characters, as people read them, that is nearest
// to x.
func (t *Text) Index(x float32) int {
	best, nearest := 0, float32(math.MaxFloat32)
	for i, at := range t.carets {
		if d := float32(math.Abs(float64(at - x))); t.first[i] && d < nearest {
			best, nearest = i, d
		}
	}
	return best
}

// Draw draws the text with the beginning of its baseline at (x, y), in pixels of dst.
func (t *Text) Draw(dst draw.Image, x, y int, scale float32, ink color.Color) {
	r := render.Renderer{FontSize: t.size, PixScale: scale, Color: ink}
	for _, run := range t.runs {
		r.DrawShapedRunAt(run.out, dst, x+int(run.x*scale+0.5), y)
	}
	for _, left := range t.boxes {
		box := image.Rect(0, 0, int(t.size*(boxWidth-0.15)*scale), int(t.size*0.75*scale)).Add(image.Pt(x+int((left+t.size*0.08)*scale+0.5), y-int(t.size*0.75*scale)))
		line := max(int(scale+0.5), 1)
		for _, edge := range []image.Rectangle{
			{box.Min, image.Pt(box.Max.X, box.Min.Y+line)}, {image.Pt(box.Min.X, box.Max.Y-line), box.Max},
			{box.Min, image.Pt(box.Min.X+line, box.Max.Y)}, {image.Pt(box.Max.X-line, box.Min.Y), box.Max},
		} {
			draw.Draw(dst, edge, image.NewUniform(ink), image.Point{}, draw.Over)
		}
	}
}

// Clusters returns the characters of a text as people read them. A letter with its accents is
// one character. An emoji of several parts is one too.
func Clusters(text string) (all []string) {
	var seg segmenter.Segmenter
	seg.Init([]rune(text))
	for it := seg.GraphemeIterator(); it.Next(); {
		all = append(all, string(it.Grapheme().Text))
	}
	return all
}
