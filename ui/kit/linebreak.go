package kit

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"goated/ui/richtext"
	"goated/ui/typeset"
)

// A LineBreaker breaks spans into lines of at most Width. It breaks a word that is wider than a
// line between characters.
type LineBreaker struct {
	Measure  *WordMeasure
	TextSize float32
	Style    fyne.TextStyle // the style of spans that set none
	Width    float32

	Lines []Line
	line  Line
	x     float32
	at    int

	span, off int  // the position of the next word
	glued     glue // what must stay on the same line as the last word of the span
	midWord   bool // the next word is the rest of a word that is wider than a line
	order     typeset.Order
}

// ChipPad is the padding on either side of code within a sentence.
const ChipPad = 4

// Break returns the lines of spans.
func (t *LineBreaker) Break(spans []richtext.Span) []Line { return t.Resume(spans, Line{}) }

// Resume returns the lines of spans, starting at the beginning of the given line.
func (t *LineBreaker) Resume(spans []richtext.Span, line Line) []Line {
	t.midWord = line.midWord
	t.at, t.span, t.off = line.At, line.Span, line.Off
	known := Line{}
	if line.ltr {
		known = line // otherwise each new word of a streaming text would read all of it again
	}
	t.order = typeset.ReadOrder(spans, known.Span, known.Off, t.Style.Monospace)
	t.line = t.begin()
	t.line.midWord = line.midWord
	for ; t.span < len(spans); t.span++ {
		s := spans[t.span]
		k := Style{Font: t.Style, Strike: s.Strike, Quiet: s.Quiet, Tone: s.Tone, Link: s.Link}
		k.Font.Bold = k.Font.Bold || s.Bold
		k.Font.Italic = k.Font.Italic || s.Italic
		k.Code = s.Code && !t.Style.Monospace
		k.Font.Monospace = k.Font.Monospace || s.Code
		if k.Code {
			t.x += ChipPad
		}
		t.glued = t.glue(spans)
		typeset.Words(s.Text[t.off:], t.Style.Monospace, func(w string) { t.word(w, k) })
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
	wide := t.wordWidth(w, k)
	more := float32(0)
	if t.glued.wide > 0 && t.off+len(w) == t.glued.end {
		more = t.glued.wide
	}
	if t.x+wide+more > t.Width && strings.TrimSpace(w) != "" {
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

// A glue is the width of the text that must stay on the same line as the word that ends at byte
// end of the span.
type glue struct {
	wide float32
	end  int
}

// glue returns the text that must not be separated from the last word of the span. A formula has
// spans in several styles, and it may break only at blanks.
func (t *LineBreaker) glue(spans []richtext.Span) (g glue) {
	g.end = len(spans[t.span].Text)
	if at := spans[t.span]; at.TeX == "" || strings.HasSuffix(at.Text, " ") {
		return g
	}
	for _, s := range spans[t.span+1:] {
		word, _, parted := strings.Cut(s.Text, " ")
		if s.TeX == "" || s.Begins || g.wide > t.Width {
			break
		}
		font := t.Style
		font.Bold, font.Italic = font.Bold || s.Bold, font.Italic || s.Italic
		if g.wide += t.measure(word, Style{Font: font}); parted {
			break
		}
	}
	return g
}

// broken adds a word that is wider than a line, character by character. A line of verbatim text
// counts as such a word. It breaks after a blank or a separator if at least half of the line is
// full by then.
func (t *LineBreaker) broken(w string, k Style) {
	letters := typeset.Clusters(w)
	for w != "" {
		end, wide, last, until := 0, float32(0), 0, float32(0)
		for _, letter := range letters {
			more := t.measure(letter, k)
			if t.x+wide+more > t.Width && letter != " " && (end > 0 || len(t.line.Parts) > 0) { // a line holds at least one letter
				if (last > 0 || len(t.line.Parts) > 0) && t.x+until > t.Width/2 {
					end, wide = last, until
				}
				break
			}
			wide += more
			end += len(letter)
			if strings.Contains(" /,;&|", letter) {
				last, until = end, wide
			}
		}
		for n := end; n > 0; letters = letters[1:] {
			n -= len(letters[0])
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

// add adds a piece to the line. It splits the piece where its direction changes.
func (t *LineBreaker) add(w string, wide float32, k Style) {
	for !t.order.Empty() {
		end, level := t.order.Run(w, t.at)
		if end == len(w) {
			t.addRun(w, wide, k, level)
			return
		}
		part := t.measure(w[:end], k)
		t.addRun(w[:end], part, k, level)
		w, wide = w[end:], max(wide-part, 0)
	}
	t.addRun(w, wide, k, 0)
}

func (t *LineBreaker) addRun(w string, wide float32, k Style, level uint8) {
	n := utf8.RuneCountInString(w)
	if last := len(t.line.Parts) - 1; last >= 0 && t.line.Parts[last].Style == k && t.line.Parts[last].Level == level {
		t.line.Parts[last].Text += w
		t.line.Parts[last].W += wide
		t.line.Parts[last].N += n
	} else {
		t.line.Parts = append(t.line.Parts, Fragment{Style: k, Text: w, X: t.x, W: wide, At: t.at, N: n, Level: level})
	}
	t.x += wide
	t.at += n
	t.off += len(w)
}

func (t *LineBreaker) end() {
	t.line.End = t.at
	t.line.place(t.order)
	t.Lines = append(t.Lines, t.line)
	t.line = t.begin()
	t.x = 0
}

// begin returns a new line that starts with the next word.
func (t *LineBreaker) begin() Line {
	return Line{At: t.at, Span: t.span, Off: t.off, ltr: t.order.LeftToRight(t.at)}
}

// longWord is a length in bytes. A longer word is wider than most lines.
const longWord = 4096

// wordWidth returns the width of a word. For a long word, any width above the line width is
// enough: base64 data may have megabytes, and shaping it would block the window for seconds.
func (t *LineBreaker) wordWidth(w string, k Style) float32 {
	if len(w) > longWord {
		head := longWord
		for !utf8.RuneStart(w[head]) {
			head--
		}
		if wide := t.measure(w[:head], k); wide > t.Width {
			return wide
		}
	}
	return t.measure(w, k)
}

func (t *LineBreaker) measure(w string, k Style) float32 {
	return t.Measure.Width(Shown(w), RunSize(t.TextSize, k.Code), k.Font)
}

// RunSize returns the text size of a run. Code within a sentence is one point smaller, so that it
// looks as large as the words around it.
func RunSize(size float32, chip bool) float32 {
	if chip {
		return size - 1
	}
	return size
}
