package ui

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"goated/ui/richtext"
)

// An inking is how a run of text looks, beside its size.
type inking struct {
	style  fyne.TextStyle
	chip   bool // code within a sentence, on a ground of its own
	strike bool
	quiet  bool
	tone   richtext.Tone
	link   string
}

// A fragment is a run of one look within one line.
type fragment struct {
	inking
	text  string // as it is read: a tab in it is one character
	x, w  float32
	at, n int // its first character's place in the whole text, and how many it has
}

// A textLine is one line as set. It begins with the character called at, which
// is off bytes into a span, and ends before the character at end.
type textLine struct {
	parts     []fragment
	at, end   int
	span, off int
	torn      bool // it begins within a word that no line can hold
}

// width is how far the line reaches.
func (l textLine) width() float32 {
	if len(l.parts) == 0 {
		return 0
	}
	last := l.parts[len(l.parts)-1]
	if last.chip {
		return last.x + last.w + chipPad
	}
	return last.x + last.w
}

// index is the place in the line that is nearest to x.
func (l textLine) index(g *gauge, size, x float32) int {
	at := l.at
	for _, f := range l.parts {
		if x >= f.x+f.w {
			at = f.at + f.n
			continue
		}
		lo, hi := 0, f.n
		for lo < hi {
			mid := (lo + hi) / 2
			if f.x+(f.advance(g, size, mid)+f.advance(g, size, mid+1))/2 < x {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		return f.at + lo
	}
	return at
}

// advance is how far the first n characters of a fragment reach.
func (f fragment) advance(g *gauge, size float32, n int) float32 {
	switch {
	case n <= 0:
		return 0
	case n >= f.n:
		return f.w
	}
	text := shown(string([]rune(f.text)[:n]))
	size = proseSize(size, f.chip)
	if g != nil && f.style.Monospace && plainLetters(text) {
		return g.width(text, size, f.style)
	}
	box, _ := measureText(text, size, f.style)
	return box.Width
}

// typeset breaks spans into lines of at most width. A word that is wider than a
// line is broken where it must be.
type typeset struct {
	gauge *gauge
	size  float32
	style fyne.TextStyle // of what has no style of its own
	width float32

	lines []textLine
	line  textLine
	x     float32
	at    int

	span, off int  // where what is set next is
	torn      bool // and it is the rest of a word that no line can hold
}

// chipPad is the room on either side of code within a sentence.
const chipPad = 4

func (t *typeset) set(spans []richtext.Span) []textLine { return t.from(spans, textLine{}) }

// from sets what of spans begins with a line.
func (t *typeset) from(spans []richtext.Span, line textLine) []textLine {
	t.line = textLine{at: line.at, span: line.span, off: line.off, torn: line.torn}
	t.torn = line.torn
	t.at, t.off = line.at, line.off
	for t.span = line.span; t.span < len(spans); t.span++ {
		s := spans[t.span]
		k := inking{style: t.style, strike: s.Strike, quiet: s.Quiet, tone: s.Tone, link: s.Link}
		k.style.Bold = k.style.Bold || s.Bold
		k.style.Italic = k.style.Italic || s.Italic
		k.chip = s.Code && !t.style.Monospace
		k.style.Monospace = k.style.Monospace || s.Code
		if k.chip {
			t.x += chipPad
		}
		words(s.Text[t.off:], t.style.Monospace, func(w string) { t.word(w, k) })
		if k.chip {
			t.x += chipPad
		}
		t.off = 0
	}
	t.end()
	return t.lines
}

func (t *typeset) word(w string, k inking) {
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
	if t.x+wide > t.width && strings.TrimSpace(w) != "" {
		if len(t.line.parts) > 0 && !t.style.Monospace {
			t.end()
			if k.chip {
				t.x = chipPad
			}
		}
		if t.x+wide > t.width {
			t.broken(w, k)
			return
		}
	}
	t.add(w, wide, k)
}

// broken sets a word that no line can hold, letter by letter.
func (t *typeset) broken(w string, k inking) {
	for w != "" {
		end, wide := 0, float32(0)
		for i, r := range w {
			n := t.measure(string(r), k)
			if t.x+wide+n > t.width && (i > 0 || len(t.line.parts) > 0) {
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

func (t *typeset) add(w string, wide float32, k inking) {
	n := utf8.RuneCountInString(w)
	if last := len(t.line.parts) - 1; last >= 0 && t.line.parts[last].inking == k {
		t.line.parts[last].text += w
		t.line.parts[last].w += wide
		t.line.parts[last].n += n
	} else {
		t.line.parts = append(t.line.parts, fragment{inking: k, text: w, x: t.x, w: wide, at: t.at, n: n})
	}
	t.x += wide
	t.at += n
	t.off += len(w)
}

func (t *typeset) end() {
	t.line.end = t.at
	t.lines = append(t.lines, t.line)
	t.line = textLine{at: t.at, span: t.span, off: t.off}
	t.x = 0
}

func (t *typeset) measure(w string, k inking) float32 {
	return t.gauge.width(shown(w), proseSize(t.size, k.chip), k.style)
}

// proseSize makes code within a sentence look as large as the words around it.
func proseSize(size float32, chip bool) float32 {
	if chip {
		return size - 1
	}
	return size
}
