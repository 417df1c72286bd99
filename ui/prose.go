package ui

import (
	"strings"
	"unicode"

	"fyne.io/fyne/v2"

	"goated/ui/view"
)

// A fragment is a run of one style within one line.
type fragment struct {
	text  string
	x, w  float32
	style fyne.TextStyle
	chip  bool // code within a sentence, on a ground of its own
	at    int  // its first character's place in the whole text
}

// A textLine is one line as set.
type textLine struct {
	parts []fragment
	at    int
}

// typeset breaks spans into lines of at most width. A word that is wider than a
// line is broken where it must be.
type typeset struct {
	size  float32
	style fyne.TextStyle // of what has no style of its own
	width float32

	lines []textLine
	line  textLine
	x     float32
	at    int
}

// chipPad is the room on either side of code within a sentence.
const chipPad = 4

func (t *typeset) set(spans []view.Span) []textLine {
	for _, s := range spans {
		style := t.style
		style.Bold = style.Bold || s.Bold
		style.Italic = style.Italic || s.Italic
		chip := s.Code && !t.style.Monospace
		style.Monospace = style.Monospace || s.Code
		if chip {
			t.x += chipPad
		}
		for _, w := range words(s.Text, t.style.Monospace) {
			t.word(w, style, chip)
		}
		if chip {
			t.x += chipPad
		}
	}
	t.end()
	return t.lines
}

func (t *typeset) word(w string, style fyne.TextStyle, chip bool) {
	if w == "\n" {
		t.at++
		t.end()
		return
	}
	wide := textWidth(w, t.sizeOf(chip), style)
	blank := strings.TrimSpace(w) == ""
	if t.x+wide > t.width && !blank {
		if len(t.line.parts) > 0 && !t.style.Monospace {
			t.end()
			if chip {
				t.x = chipPad
			}
		}
		if t.x+wide > t.width {
			t.broken(w, style, chip)
			return
		}
	}
	t.add(w, wide, style, chip)
}

// broken sets a word that no line can hold.
func (t *typeset) broken(w string, style fyne.TextStyle, chip bool) {
	runes := []rune(w)
	for len(runes) > 0 {
		// The number of characters that fit, by halving: a width grows with each.
		lo, hi := 0, len(runes)
		for lo < hi {
			mid := (lo + hi + 1) / 2
			if t.x+textWidth(string(runes[:mid]), t.sizeOf(chip), style) <= t.width {
				lo = mid
			} else {
				hi = mid - 1
			}
		}
		if lo == 0 && len(t.line.parts) == 0 {
			lo = 1 // narrower than one character: go on all the same
		}
		if lo > 0 {
			part := string(runes[:lo])
			t.add(part, textWidth(part, t.sizeOf(chip), style), style, chip)
			runes = runes[lo:]
		}
		if len(runes) > 0 {
			t.end()
		}
	}
}

func (t *typeset) add(w string, wide float32, style fyne.TextStyle, chip bool) {
	if n := len(t.line.parts); n > 0 && t.line.parts[n-1].style == style && t.line.parts[n-1].chip == chip {
		t.line.parts[n-1].text += w
		t.line.parts[n-1].w += wide
	} else {
		t.line.parts = append(t.line.parts, fragment{text: w, x: t.x, w: wide, style: style, chip: chip, at: t.at})
	}
	t.x += wide
	t.at += len([]rune(w))
}

func (t *typeset) end() {
	t.lines = append(t.lines, t.line)
	t.line = textLine{at: t.at}
	t.x = 0
}

func (t *typeset) sizeOf(chip bool) float32 { return proseSize(t.size, chip) }

// proseSize makes code within a sentence look as large as the words around it.
func proseSize(size float32, chip bool) float32 {
	if chip {
		return size - 1
	}
	return size
}

func textWidth(text string, size float32, style fyne.TextStyle) float32 {
	return fyne.MeasureText(text, size, style).Width
}

// words parts text where a line may break: between words and blanks, around
// each character of the scripts that are written without blanks, and at a line
// feed. Verbatim text is one piece a line, since it breaks anywhere.
func words(text string, verbatim bool) []string {
	text = strings.ReplaceAll(text, "\t", "    ")
	var out []string
	start, kind := 0, 0
	flush := func(end int) {
		if end > start {
			out = append(out, text[start:end])
		}
		start = end
	}
	for i, r := range text {
		k := 1
		switch {
		case r == '\n':
			k = 2
		case verbatim:
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			k = 3
		case unicode.IsSpace(r):
			k = 4
		}
		if k != kind || k == 2 || k == 3 {
			flush(i)
		}
		kind = k
	}
	flush(len(text))
	return out
}

func plainText(spans []view.Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(strings.ReplaceAll(s.Text, "\t", "    "))
	}
	return b.String()
}
