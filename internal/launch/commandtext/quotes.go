package commandtext

import (
	"strings"

	"goated/internal/lazyregexp"
)

// blank matches a word that stands for the user's own, which a shell takes for a redirection.
// Only the beginning of a text matches.
var blank = lazyregexp.New("^<(?:\\.\\.\\.|…|[\\p{L}_](?:[^<>\"`$\\\\\n]*[^<>\"`$\\\\\\s])?)>")

// rounded matches such a word in parentheses.
var rounded = lazyregexp.New(`^\([a-z][a-z _-]*\)(\s|$)`)

// A quoting follows the quotes of a shell from line to line, because the JSON in a command may have
// several lines.
type quoting struct {
	windows bool
	open    byte // the quote in which the text is; 0: none
}

// line returns a line whose unquoted blanks are quoted, so that a shell takes them for words.
// Those in quotes are words already.
func (q *quoting) line(text string) string {
	var out strings.Builder
	before := byte(' ')
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && q.open != '\'' && !q.windows && i+1 < len(text):
			out.WriteByte(c)
			i++
			c = text[i]
		case q.open != 0:
			if c == q.open {
				q.open = 0
			}
		case c == '"' || c == '\'':
			q.open = c
		case c == '#' && (before == ' ' || before == '\t'):
			out.WriteString(text[i:])
			return out.String() // an apostrophe in a comment is not a quote
		case c == '(' && (before == '=' || before == ' ' && behindWord(text[:i])):
			if word := strings.TrimSpace(rounded.FindString(text[i:])); word != "" {
				out.WriteString("'" + word + "'")
				i += len(word) - 1
				before = ')'
				continue
			}
		case c == '<' && before != '<':
			if word := blank.FindString(text[i:]); word != "" {
				quote := "'"
				if strings.Contains(word, "'") {
					quote = `"`
				}
				out.WriteString(quote + word + quote)
				i += len(word) - 1
				before = '>'
				continue
			}
		}
		out.WriteByte(c)
		before = c
	}
	return out.String()
}

// behindWord reports whether a text ends with a word of a command, and not with what separates commands: there, a
// parenthesis begins commands of their own.
func behindWord(text string) bool {
	text = strings.TrimRight(text, " \t")
	return text != "" && !strings.ContainsAny(text[len(text)-1:], "&|;")
}
