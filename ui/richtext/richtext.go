// Package richtext is text with styles: a list of spans, each in one style.
//
// Both the Markdown reader and the widgets use it. It holds data only, and knows
// neither Markdown nor Fyne.
package richtext

import "strings"

// A Span is a run of text in one style.
type Span struct {
	Text                       string
	Bold, Italic, Code, Strike bool
	Quiet                      bool   // added by goated: the host that a link leads to
	Tone                       Tone   // the kind of word, in code
	Link                       string // the address that a press opens; usually empty
}

// A Tone is the kind of a word of code.
type Tone int

// The tones. There are few, so that a page of code stays calm.
const (
	ToneText Tone = iota
	ToneKeyword
	ToneName // of a function or a type where it is made or used
	ToneString
	ToneNumber
	ToneComment
	TonePunct
)

// PlainText is the text of spans without their styles.
func PlainText(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}
