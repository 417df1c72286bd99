package kit

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"goated/ui/richtext"
)

// A Style is the look of a run of text, except its size.
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
	Text  string // the source text: a tab is one character
	X, W  float32
	At, N int // the index of the first character in the whole text, and the number of characters
}

// A Line is one laid-out line. It begins with the character At, which is Off bytes
// into the span Span, and ends before the character End.
type Line struct {
	Parts     []Fragment
	At, End   int
	Span, Off int
	midWord   bool // begins within a word that is wider than a line
}

// Width returns the right end of the line.
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

// Index returns the character boundary in the line that is nearest to x.
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

// Advance returns the width of the first n characters of a fragment.
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

// A LineBreaker breaks spans into lines of at most Width. It breaks a word that is
// wider than a line between characters.
type LineBreaker struct {
	Measure  *WordMeasure
	TextSize float32
	Style    fyne.TextStyle // the style of spans without their own
	Width    float32

	Lines []Line
	line  Line
	x     float32
	at    int

	span, off int  // the position of the next word
	midWord   bool // the next word is the rest of one that is wider than a line
}

// ChipPad is the padding on either side of code within a sentence.
const ChipPad = 4

// Break returns the lines of spans.
func (t *LineBreaker) Break(spans []richtext.Span) []Line { return t.Resume(spans, Line{}) }

// Resume returns the lines of spans from the beginning of the given line.
func (t *LineBreaker) Resume(spans []richtext.Span, line Line) []Line {
	t.line = Line{At: line.At, Span: line.Span, Off: line.Off, midWord: line.midWord}
	t.midWord = line.midWord
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
	if t.midWord {
		t.midWord = false
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

// broken adds a word that is wider than a line, letter by letter.
func (t *LineBreaker) broken(w string, k Style) {
	for w != "" {
		end, wide := 0, float32(0)
		for i, r := range w {
			n := t.measure(string(r), k)
			if t.x+wide+n > t.Width && (i > 0 || len(t.line.Parts) > 0) {
				break // a line holds at least one letter
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
			t.line.midWord = true
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
	return t.Measure.Width(Shown(w), RunSize(t.TextSize, k.Code), k.Font)
}

// RunSize returns the text size of a run: code within a sentence is one smaller,
// to look as large as the words around it.
func RunSize(size float32, chip bool) float32 {
	if chip {
		return size - 1
	}
	return size
}
