// Package richtext defines styled text: a list of spans, each in one style.
//
// The Markdown parser and the widgets share it. It contains only data, and must not depend on
// Markdown or Fyne.
package richtext

import "strings"

// A Span is a run of text in one style.
type Span struct {
	Text                       string
	Bold, Italic, Code, Strike bool
	Quiet                      bool   // text that goated adds, for example the host of a link
	Tone                       Tone   // the kind of token in code
	Link                       string // the URL that a press opens; usually empty
	TeX                        string // the source of the formula that the text belongs to, with its marks; usually empty
	Begins                     bool   // starts a formula
}

// A Tone is the kind of a token in code.
type Tone int

// The tones. There are only a few, so that code does not have too many colours.
const (
	ToneText Tone = iota
	ToneKeyword
	ToneName // a function or a type, where code defines or uses it
	ToneString
	ToneNumber
	ToneComment
	TonePunct
	ToneInserted // an inserted line of a diff
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
