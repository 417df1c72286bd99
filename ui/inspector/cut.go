package inspector

import (
	"strings"
	"unicode/utf8"
)

// mended closes the strings, arrays and objects of a JSON text whose end is cut off, so that the
// rest can be shown like any other JSON. It drops a member or an element whose value is cut off,
// except that it keeps the beginning of a string, with an ellipsis. A text that is not JSON does
// not become JSON.
func mended(text string) string {
	var closers []byte // the closing brackets of what is open, outermost first
	whole := 0         // the end of the last value, or of the bracket that opened the innermost array or object
	depth := 0         // the number of closers at that offset
	value := false     // the next string is a value, not a name
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case '{', '[':
			closers = append(closers, c+2) // the closing bracket in ASCII
			i++
			value = c == '['
			whole, depth = i, len(closers)
		case '}', ']':
			if len(closers) == 0 {
				return text
			}
			closers = closers[:len(closers)-1]
			i++
			whole, depth = i, len(closers)
		case '"':
			end, safe := stringEnd(text, i)
			switch {
			case end < 0 && value:
				return text[:safe] + `…"` + backwards(closers)
			case end < 0:
				return text[:whole] + backwards(closers[:depth])
			}
			if i = end; value {
				whole, depth = i, len(closers)
			}
		case ':':
			i++
			value = true
		case ',':
			i++
			value = len(closers) > 0 && closers[len(closers)-1] == ']'
		case ' ', '\t', '\r', '\n':
			i++
		default: // a number or a word, which is complete only if something follows
			n := strings.IndexAny(text[i:], ",]} \t\r\n")
			if n < 0 {
				return text[:whole] + backwards(closers[:depth])
			}
			i += n
			whole, depth = i, len(closers)
		}
	}
	return text[:whole] + backwards(closers[:depth])
}

// stringEnd returns the end of the JSON string at i. If the string is cut off, it returns -1 and
// the end of its last complete character.
func stringEnd(text string, i int) (end, safe int) {
	for i++; i < len(text); {
		switch {
		case text[i] == '"':
			return i + 1, i + 1
		case text[i] != '\\':
			i++
			continue
		}
		n := 2
		if i+1 < len(text) && text[i+1] == 'u' {
			n = 6
		}
		if i+n > len(text) {
			return -1, i
		}
		i += n
	}
	safe = len(text)
	for safe > len(text)-utf8.UTFMax {
		if r, n := utf8.DecodeLastRuneInString(text[:safe]); r != utf8.RuneError || n != 1 {
			break
		}
		safe-- // removes an incomplete character
	}
	return -1, safe
}

func backwards(closers []byte) string {
	var b strings.Builder
	for i := len(closers) - 1; i >= 0; i-- {
		b.WriteByte(closers[i])
	}
	return b.String()
}
