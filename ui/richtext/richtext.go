// Package richtext defines styled text: a list of spans, each in one style.
//
// The Markdown parser and the widgets share it. It contains data only and must not
// know Markdown or Fyne.
package richtext

import "strings"

// A Span is a run of text in one style.
type Span struct {
	Text                       string
	Bold, Italic, Code, Strike bool
	Quiet                      bool   // text that goated adds: the host of a link
	Tone                       Tone   // the kind of word in code
	Link                       string // the URL that a press opens; usually empty
	TeX                        string // the source, with its marks, of the formula that the text belongs to; usually empty
	Begins                     bool   // the first span of a formula
}

// A Tone is the kind of a word in code.
type Tone int

// The tones. A small set keeps the number of colours low.
const (
	ToneText Tone = iota
	ToneKeyword
	ToneName // of a function or a type, where code defines or uses it
	ToneString
	ToneNumber
	ToneComment
	TonePunct
	ToneInserted // a line of a diff
	ToneDeleted
)

// PlainText returns the text of spans without their styles.
func PlainText(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}
