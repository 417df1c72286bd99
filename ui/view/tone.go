package view

import (
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

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

// Highlight parts code into spans by what its words are. A language that is not
// known is one span. It takes some milliseconds for a page: not for the UI
// goroutine.
func Highlight(language, code string) []Span {
	plain := []Span{{Text: code, Code: true}}
	lexer := lexers.Get(strings.ToLower(language))
	if language == "" || lexer == nil {
		return plain
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(&chroma.TokeniseOptions{State: "root", EnsureLF: false}, code)
	if err != nil {
		return plain
	}
	var out []Span
	n := 0
	for t := tokens(); t != chroma.EOF; t = tokens() {
		out = add(out, t.Value, Span{Code: true, Tone: tone(t.Type)})
		n += len(t.Value)
	}
	if n != len(code) || plainSpans(out) != code {
		return plain // a lexer that loses something is of no use
	}
	return out
}

func tone(t chroma.TokenType) Tone {
	switch {
	case t.InCategory(chroma.Comment):
		return ToneComment
	case t.InCategory(chroma.Keyword), t == chroma.NameTag, t == chroma.OperatorWord:
		return ToneKeyword
	case t.InSubCategory(chroma.LiteralString), t == chroma.GenericInserted:
		return ToneString
	case t.InSubCategory(chroma.LiteralNumber):
		return ToneNumber
	case t == chroma.NameFunction, t == chroma.NameClass, t == chroma.NameAttribute, t == chroma.NameDecorator, t == chroma.NameBuiltin:
		return ToneName
	case t.InCategory(chroma.Punctuation), t.InCategory(chroma.Operator):
		return TonePunct
	}
	return ToneText
}
