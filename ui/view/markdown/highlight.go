package markdown

import (
	"strings"

	"github.com/alecthomas/chroma/v2"

	"goated/ui/richtext"
)

// Highlight returns code as spans with a tone for each token. Code in an unknown language is one
// span. A page takes some milliseconds, so callers must not use the UI goroutine.
func Highlight(language, code string) []richtext.Span {
	plain := []richtext.Span{{Text: code, Code: true}}
	lexer := lexerOf(language)
	if lexer == nil {
		return plain
	}
	if out, ok := lexed(lexer, code); ok {
		return out
	}
	return plain
}

// lexed returns the tokens of code as spans. ok is false if the lexer fails or loses
// text.
func lexed(lexer chroma.Lexer, code string) ([]richtext.Span, bool) {
	whole := code
	if !strings.HasSuffix(code, "\n") {
		whole += "\n" // rules for a line need the line feed
	}
	tokens, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root", EnsureLF: false}, whole)
	if err != nil {
		return nil, false
	}
	var out []richtext.Span
	n := 0
	for t := tokens(); t != chroma.EOF; t = tokens() {
		from := n
		if n += len(t.Value); n > len(whole) || whole[from:n] != t.Value {
			return nil, false
		}
		if to := min(n, len(code)); to > from {
			out = add(out, code[from:to], richtext.Span{Code: true, Tone: tone(t.Type)})
		}
	}
	return out, n == len(whole)
}

func tone(t chroma.TokenType) richtext.Tone {
	switch {
	case t.InCategory(chroma.Comment):
		return richtext.ToneComment
	case t.InCategory(chroma.Keyword), t == chroma.NameTag, t == chroma.OperatorWord:
		return richtext.ToneKeyword
	case t.InSubCategory(chroma.LiteralString):
		return richtext.ToneString
	case t.InSubCategory(chroma.LiteralNumber):
		return richtext.ToneNumber
	case t == chroma.NameFunction, t == chroma.NameClass, t == chroma.NameAttribute, t == chroma.NameDecorator, t == chroma.NameBuiltin:
		return richtext.ToneName
	case t.InCategory(chroma.Punctuation), t.InCategory(chroma.Operator):
		return richtext.TonePunct
	case t == chroma.GenericInserted:
		return richtext.ToneInserted
	case t == chroma.GenericDeleted, t == chroma.GenericError:
		return richtext.ToneDeleted
	case t == chroma.GenericHeading, t == chroma.GenericSubheading:
		return richtext.ToneName
	case t == chroma.GenericPrompt, t == chroma.GenericTraceback, t == chroma.GenericOutput:
		return richtext.ToneComment
	case t == chroma.GenericStrong:
		return richtext.ToneNumber
	}
	return richtext.ToneText
}
