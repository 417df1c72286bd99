package view

import "strings"

// A Span is a run of text in one style.
type Span struct {
	Text                       string
	Bold, Italic, Code, Strike bool
	Quiet                      bool   // our own addition: where a link really leads
	Tone                       Tone   // in code, what the word is
	Link                       string // an address that may be opened; empty for most
}

// A Tone says what a word of code is.
type Tone int

// The tones: few, so that a page of code stays calm.
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
