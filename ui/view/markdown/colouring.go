package markdown

import (
	"strings"

	"github.com/alecthomas/chroma/v2"

	"goated/ui/richtext"
)

// A Colouring highlights code that grows or is very long, in pieces. It resumes at a line where
// the lexer produces the same tokens as it would from the start. A construct that is longer than
// a piece may get wrong colours. A Colouring is not safe for concurrent use.
type Colouring struct {
	lexer chroma.Lexer
	at    int // the offset at which it resumes
}

// maxPiece is the size of a piece in bytes. The last pieceLeft bytes of a piece are lexed again
// with the next piece.
const (
	maxPiece  = 16 << 10
	pieceLeft = 2 << 10
)

// NewColouring returns a Colouring for code in a language. Code in an unknown language has no
// colours.
func NewColouring(language string) *Colouring { return &Colouring{lexer: lexerOf(language)} }

// Colour takes all the code so far. It returns the spans after the previously settled ones, and
// how many of them are settled now. Settled spans never change.
func (c *Colouring) Colour(code string) (spans []richtext.Span, settled int) {
	if c.lexer == nil {
		return []richtext.Span{{Text: code[c.at:], Code: true}}, 0
	}
	for {
		end := len(code)
		if end-c.at > maxPiece {
			end = c.at + max(strings.LastIndexByte(code[c.at:c.at+maxPiece], '\n')+1, maxPiece/2)
		}
		piece, ok := lexed(c.lexer, code[c.at:end])
		if !ok {
			piece = []richtext.Span{{Text: code[c.at:end], Code: true}}
		}
		if end-c.at <= 2*pieceLeft {
			return append(spans, piece...), settled
		}
		done, rest := c.parted(code[c.at:end], piece)
		if done == nil && end < len(code) {
			done, rest = piece, nil
		}
		spans, settled = append(spans, done...), settled+len(done)
		for _, s := range done {
			c.at += len(s.Text)
		}
		if end == len(code) {
			return append(spans, rest...), settled
		}
	}
}

// parted finds a line near the end of a piece at which the lexer can resume, and splits the spans
// there. done is nil if there is no such line.
func (c *Colouring) parted(code string, spans []richtext.Span) (done, rest []richtext.Span) {
	at := len(code) - pieceLeft
	for range 8 {
		if at = strings.LastIndexByte(code[:max(at, 0)], '\n') + 1; at <= 0 {
			break
		}
		done, rest = partSpans(spans, at)
		if again, ok := lexed(c.lexer, code[at:]); ok && equalSpans(again, rest) {
			return done, rest
		}
		at -= 120
	}
	return nil, spans
}

func partSpans(spans []richtext.Span, at int) (before, after []richtext.Span) {
	for i, s := range spans {
		if at < len(s.Text) {
			before = append(before, spans[:i]...)
			if at > 0 {
				before = append(before, s)
				before[i].Text = s.Text[:at]
			}
			s.Text = s.Text[at:]
			return before, append([]richtext.Span{s}, spans[i+1:]...)
		}
		at -= len(s.Text)
	}
	return spans, nil
}
