package kit

import (
	"cmp"
	"slices"
	"sort"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"goated/ui/richtext"
	"goated/ui/typeset"
)

// A Style is the look of a run of text, without its size.
type Style struct {
	Font   fyne.TextStyle
	Code   bool // code within a sentence, on its own background
	Strike bool
	Quiet  bool
	Tone   richtext.Tone
	Link   string
}

// A Fragment is a run of one style within one line.
type Fragment struct {
	Style
	Text  string // the source text; a tab counts as one character
	X, W  float32
	At, N int   // the index of the first character in the whole text, and the number of characters
	Level uint8 // odd: the fragment runs from right to left; see [typeset.Levels]
}

// A Line is one laid-out line. It begins with the character At, which is Off bytes
// into the span Span, and ends before the character End.
type Line struct {
	Parts     []Fragment
	At, End   int
	Span, Off int
	RTL       bool // its paragraph runs from right to left
	bidi      bool // Parts are not in visual order
	midWord   bool // begins within a word that is wider than a line
	ltr       bool // all text before it runs from left to right
}

// Width returns the right end of the line.
func (l Line) Width() float32 {
	if len(l.Parts) == 0 {
		return 0
	}
	if !l.bidi {
		return l.Parts[len(l.Parts)-1].right()
	}
	w := float32(0)
	for _, f := range l.Parts {
		w = max(w, f.right())
	}
	return w
}

// right returns the right end of a fragment with its background.
func (f Fragment) right() float32 {
	if f.Code {
		return f.X + f.W + ChipPad
	}
	return f.X + f.W
}

// Ordered reports whether the visual order of the parts, from the left, is the order of their
// text.
func (l Line) Ordered() bool { return !l.bidi }

// Index returns the character boundary in the line that is closest to x.
func (l Line) Index(g *WordMeasure, size, x float32) int {
	at, nearest := l.At, float32(-1)
	for _, f := range l.Parts {
		away := max(f.X-x, x-f.X-f.W, 0)
		if nearest < 0 || away < nearest || away == nearest && !l.bidi {
			at, nearest = f.At+f.index(g, size, x-f.X), away
		}
	}
	return at
}

// index returns the boundary in a fragment that is closest to x.
func (f Fragment) index(g *WordMeasure, size, x float32) int {
	if s := f.Shaped(size); s != nil {
		return f.source(s.Index(x - f.lead(s)))
	}
	if x >= f.W {
		return f.N
	}
	lo, hi := 0, f.N
	for lo < hi {
		mid := (lo + hi) / 2
		if (f.Advance(g, size, mid)+f.Advance(g, size, mid+1))/2 < x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// Advance returns the distance between the left end of a fragment and the boundary before its nth
// character.
func (f Fragment) Advance(g *WordMeasure, size float32, n int) float32 {
	if f.Level%2 == 1 || n > 0 && n < f.N && !typeset.IsPlain(f.Text) {
		if s := f.Shaped(size); s != nil {
			return s.Caret(f.drawn(n)) + f.lead(s)
		}
	}
	switch {
	case n <= 0:
		return 0
	case n >= f.N:
		return f.W
	}
	text := Shown(string([]rune(f.Text)[:n]))
	size = RunSize(size, f.Code)
	if g != nil && f.Font.Monospace && typeset.IsPlain(text) {
		return g.Width(text, size, f.Font)
	}
	box, _ := MeasureText(text, size, f.Font)
	return box.Width
}

// lead returns the offset of the shaped text from the left end of the fragment. The two can
// differ, because the width of the fragment is the sum of the widths of its words.
func (f Fragment) lead(s *typeset.Text) float32 { return (f.W - s.Width) * float32(f.Level%2) }

// drawn returns how many characters are drawn for the first n characters; see [Shown].
func (f Fragment) drawn(n int) int {
	return utf8.RuneCountInString(Shown(string([]rune(f.Text)[:max(0, min(n, f.N))])))
}

// source returns how many source characters the first n drawn characters represent. It is the
// inverse of drawn.
func (f Fragment) source(n int) int {
	return sort.Search(f.N, func(i int) bool { return f.drawn(i) >= n })
}

// place moves the parts of a line to their visual positions.
func (l *Line) place(order typeset.Order) {
	if order.Empty() || len(l.Parts) == 0 {
		return
	}
	l.RTL = order.RTL(l.At)
	levels := make([]uint8, len(l.Parts))
	for i, f := range l.Parts {
		levels[i] = f.Level
		l.bidi = l.bidi || f.Level > 0
	}
	if !l.bidi {
		return
	}
	x, before := float32(0), -1
	for _, i := range typeset.Visual(levels) {
		f := &l.Parts[i]
		switch {
		case !f.Code:
		case before >= 0 && max(i-before, before-i) == 1 && l.Parts[before].Style == f.Style: // same code, other direction
			x -= ChipPad
		default:
			x += ChipPad
		}
		f.X = x
		x, before = f.right(), i
	}
}

// A Chip is the horizontal extent of a code background in a line.
type Chip struct{ X, W float32 }

// Chips returns the code backgrounds in a line. Code that mixes directions has several fragments.
// They share one background if nothing separates them.
func (l Line) Chips() (chips []Chip) {
	for _, f := range l.Parts {
		if f.Code {
			chips = append(chips, Chip{f.X - ChipPad, f.W + 2*ChipPad})
		}
	}
	if !l.bidi {
		return chips
	}
	slices.SortFunc(chips, func(a, b Chip) int { return cmp.Compare(a.X, b.X) })
	joined := chips[:0]
	for _, c := range chips {
		if last := len(joined) - 1; last >= 0 && c.X < joined[last].X+joined[last].W-ChipPad {
			joined[last].W = c.X + c.W - joined[last].X
		} else {
			joined = append(joined, c)
		}
	}
	return joined
}
