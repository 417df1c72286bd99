package kit

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"goated/ui/richtext"
)

// An Style is how a run of text looks, beside its size.
type Style struct {
	Font   fyne.TextStyle
	Code   bool // code within a sentence, on a ground of its own
	Strike bool
	Quiet  bool
	Tone   richtext.Tone
	Link   string
}

// A Fragment is a run of one look within one line.
type Fragment struct {
	Style
	Text  string // as it is read: a tab in it is one character
	X, W  float32
	At, N int // its first character's place in the whole text, and how many it has
}

// A Line is one line as set. It begins with the character called at, which
// is off bytes into a span, and ends before the character at end.
type Line struct {
	Parts     []Fragment
	At, End   int
	Span, Off int
	torn      bool // it begins within a word that no line can hold
}

// Width is how far the line reaches.
func (l Line) Width() float32 {
	if len(l.Parts) == 0 {
		return 0
	}
	last := l.Parts[len(l.Parts)-1]
	if last.Code {
		return last.X + last.W + ChipPad
	}
	return last.X + last.W
}

// Index is the place in the line that is nearest to x.
func (l Line) Index(g *WordMeasure, size, x float32) int {
	at := l.At
	for _, f := range l.Parts {
		if x >= f.X+f.W {
			at = f.At + f.N
			continue
		}
		lo, hi := 0, f.N
		for lo < hi {
			mid := (lo + hi) / 2
			if f.X+(f.Advance(g, size, mid)+f.Advance(g, size, mid+1))/2 < x {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		return f.At + lo
	}
	return at
}

// Advance is how far the first n characters of a fragment reach.
func (f Fragment) Advance(g *WordMeasure, size float32, n int) float32 {
	switch {
	case n <= 0:
		return 0
	case n >= f.N:
		return f.W
	}
	text := Shown(string([]rune(f.Text)[:n]))
	size = RunSize(size, f.Code)
	if g != nil && f.Font.Monospace && plainLetters(text) {
		return g.Width(text, size, f.Font)
	}
	box, _ := MeasureText(text, size, f.Font)
	return box.Width
}

// LineBreaker breaks spans into lines of at most width. A word that is wider than a
// line is broken where it must be.
type LineBreaker struct {
	Gauge    *WordMeasure
	TextSize float32
	Style    fyne.TextStyle // of what has no style of its own
	Width    float32

	Lines []Line
	line  Line
	x     float32
	at    int

	span, off int  // where what is set next is
	torn      bool // and it is the rest of a word that no line can hold
}

// ChipPad is the room on either side of code within a sentence.
const ChipPad = 4

func (t *LineBreaker) Break(spans []richtext.Span) []Line { return t.Resume(spans, Line{}) }

// Resume sets what of spans begins with a line.
func (t *LineBreaker) Resume(spans []richtext.Span, line Line) []Line {
	t.line = Line{At: line.At, Span: line.Span, Off: line.Off, torn: line.torn}
	t.torn = line.torn
	t.at, t.off = line.At, line.Off
	for t.span = line.Span; t.span < len(spans); t.span++ {
		s := spans[t.span]
		k := Style{Font: t.Style, Strike: s.Strike, Quiet: s.Quiet, Tone: s.Tone, Link: s.Link}
		k.Font.Bold = k.Font.Bold || s.Bold
		k.Font.Italic = k.Font.Italic || s.Italic
		k.Code = s.Code && !t.Style.Monospace
		k.Font.Monospace = k.Font.Monospace || s.Code
		if k.Code {
			t.x += ChipPad
		}
		Words(s.Text[t.off:], t.Style.Monospace, func(w string) { t.word(w, k) })
		if k.Code {
			t.x += ChipPad
		}
		t.off = 0
	}
	t.end()
	return t.Lines
}

func (t *LineBreaker) word(w string, k Style) {
	if w == "\n" {
		t.at++
		t.off++
		t.end()
		return
	}
	if t.torn {
		t.torn = false
		t.broken(w, k)
		return
	}
	wide := t.measure(w, k)
	if t.x+wide > t.Width && strings.TrimSpace(w) != "" {
		if len(t.line.Parts) > 0 && !t.Style.Monospace {
			t.end()
			if k.Code {
				t.x = ChipPad
			}
		}
		if t.x+wide > t.Width {
			t.broken(w, k)
			return
		}
	}
	t.add(w, wide, k)
}

// broken sets a word that no line can hold, letter by letter.
func (t *LineBreaker) broken(w string, k Style) {
	for w != "" {
		end, wide := 0, float32(0)
		for i, r := range w {
			n := t.measure(string(r), k)
			if t.x+wide+n > t.Width && (i > 0 || len(t.line.Parts) > 0) {
				break // narrower than one letter it goes on all the same
			}
			wide += n
			end = i + utf8.RuneLen(r)
			if r == utf8.RuneError {
				end = i + 1
			}
		}
		if end > 0 {
			t.add(w[:end], wide, k)
			w = w[end:]
		}
		if w != "" {
			t.end()
			t.line.torn = true
		}
	}
}

func (t *LineBreaker) add(w string, wide float32, k Style) {
	n := utf8.RuneCountInString(w)
	if last := len(t.line.Parts) - 1; last >= 0 && t.line.Parts[last].Style == k {
		t.line.Parts[last].Text += w
		t.line.Parts[last].W += wide
		t.line.Parts[last].N += n
	} else {
		t.line.Parts = append(t.line.Parts, Fragment{Style: k, Text: w, X: t.x, W: wide, At: t.at, N: n})
	}
	t.x += wide
	t.at += n
	t.off += len(w)
}

func (t *LineBreaker) end() {
	t.line.End = t.at
	t.Lines = append(t.Lines, t.line)
	t.line = Line{At: t.at, Span: t.span, Off: t.off}
	t.x = 0
}

func (t *LineBreaker) measure(w string, k Style) float32 {
	return t.Gauge.Width(Shown(w), RunSize(t.TextSize, k.Code), k.Font)
}

// RunSize makes code within a sentence look as large as the words around it.
func RunSize(size float32, chip bool) float32 {
	if chip {
		return size - 1
	}
	return size
}
