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

// A Text is a shaped text. It is immutable.
type Text struct {
	Width           float32
	Ascent, Descent float32 // the extent of its tallest font above and below the baseline
	RTL             bool    // its paragraph runs from right to left
	size            float32
	runs            []run
	carets          []float32 // the position of each character, and of the end
	first           []bool    // whether a character begins a grapheme cluster
	boxes           []float32 // the left edges of the boxes for characters that no font has
}

type run struct {
	out shaping.Output
	x   float32
}

// place appends a shaped piece at the right end.
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

// spread sets the carets of characters that share glyphs, from x on. The grapheme clusters get
// equal parts of the width.
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

// boxWidth is the width of the box for a character that no font has, relative to the text size.
const boxWidth = 0.7

// placeBox appends a box at the right end.
func (t *Text) placeBox(p piece) {
	wide := t.size * boxWidth
	t.boxes = append(t.boxes, t.Width)
	t.spread(p.from, p.to, t.Width, wide, p.level%2 == 1)
	t.Width += wide
	t.Ascent = max(t.Ascent, t.size*0.9)
}

// float converts a length in 64ths of a pixel.
func float(v fixed.Int26_6) float32 { return float32(v) / 64 }

// Caret returns the position of character n, from the left edge. For the number of characters, it
// returns the end of the text.
func (t *Text) Caret(n int) float32 { return t.carets[max(0, min(n, len(t.carets)-1))] }

// Index returns the boundary between grapheme clusters that is closest to x.
func (t *Text) Index(x float32) int {
	best, nearest := 0, float32(math.MaxFloat32)
	for i, at := range t.carets {
		if d := float32(math.Abs(float64(at - x))); t.first[i] && d < nearest {
			best, nearest = i, d
		}
	}
	return best
}

// Draw draws the text with the start of its baseline at (x, y), in pixels of dst.
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

// Clusters returns the grapheme clusters of a text. A letter with its accents is one cluster, and
// so is an emoji of several parts.
func Clusters(text string) (all []string) {
	var seg segmenter.Segmenter
	seg.Init([]rune(text))
	for it := seg.GraphemeIterator(); it.Next(); {
		all = append(all, string(it.Grapheme().Text))
	}
	return all
}
