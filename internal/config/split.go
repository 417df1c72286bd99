package config

import (
	"errors"
	"strings"
)

// Split splits a line into words by the quoting rules of a POSIX shell. It does not expand
// anything: "$" and "*" are ordinary characters.
func Split(line string) ([]string, error) {
	var (
		words  []string
		word   strings.Builder
		inWord bool
		quote  rune // 0, ' or "
	)
	runes := []rune(line)
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		switch {
		case quote == '\'' && r != '\'':
			word.WriteRune(r)
		case r == '\\':
			if i+1 == len(runes) {
				return nil, errors.New("nothing follows the last backslash")
			}
			// Inside double quotes, a backslash only escapes the characters that have a meaning
			// there.
			next := runes[i+1]
			if quote == '"' && !strings.ContainsRune(`"\$`+"`", next) {
				word.WriteRune(r)
			} else {
				word.WriteRune(next)
				i++
			}
			inWord = true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote is not closed")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// Quoted joins words with quotes where needed, so that [Split] or a shell returns the same words.
func Quoted(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		switch {
		case w != "" && !strings.ContainsAny(w, " \t\n\\'\"<>|&;()#$`"):
		case !strings.ContainsAny(w, "\"\\$`"):
			w = `"` + w + `"`
		default:
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		out[i] = w
	}
	return strings.Join(out, " ")
}
