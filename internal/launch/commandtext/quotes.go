package commandtext

import (
	"strings"

	"goated/internal/lazyregexp"
)

// blank matches a placeholder that a shell would take for a redirection. It matches only at the start
// of a text.
var blank = lazyregexp.New("^<(?:\\.\\.\\.|…|[\\p{L}_](?:[^<>\"`$\\\\\n]*[^<>\"`$\\\\\\s])?)>")

// rounded matches a placeholder in parentheses.
var rounded = lazyregexp.New(`^\([a-z][a-z _-]*\)(\s|$)`)

// A quoting tracks the quotes of a shell across lines, because the JSON in a command may span several
// lines.
type quoting struct {
	windows bool
	open    byte // the quote that the text is inside, or 0
}

// line quotes the unquoted placeholders in a line, so that a shell takes them for words.
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

// behindWord reports whether a text ends with a word of a command, and not with a separator. After a
// separator, a parenthesis would start a subshell.
func behindWord(text string) bool {
	text = strings.TrimRight(text, " \t")
	return text != "" && !strings.ContainsAny(text[len(text)-1:], "&|;")
}
