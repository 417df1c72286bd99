package jsonscan

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Fields visits the members of an object that [Decode] has accepted, until visit returns false. It
// repeats no checks and allocates nothing. It does not unescape keys: visit gets them as written,
// without quotes. Keys and values alias object. Fields reports whether it visited all members; for
// other values it returns false.
func Fields(object []byte, visit func(key, value []byte) bool) bool {
	i := blank(object, 0)
	if i >= len(object) || object[i] != '{' {
		return false
	}
	for i = blank(object, i+1); i < len(object) && object[i] == '"'; i = blank(object, i+1) {
		end := pastString(object, i)
		key := object[i+1 : max(i+1, end-1)]
		from := blank(object, blank(object, end)+1) // the colon
		to := past(object, from)
		if to <= from || !visit(key, object[from:to:to]) {
			return false
		}
		if i = blank(object, to); i >= len(object) || object[i] != ',' {
			break
		}
	}
	return i < len(object) && object[i] == '}'
}

// Elements visits the elements of an array, like [Fields] visits members.
func Elements(array []byte, visit func(value []byte) bool) bool {
	i := blank(array, 0)
	if i >= len(array) || array[i] != '[' {
		return false
	}
	for i = blank(array, i+1); i < len(array) && array[i] != ']'; i = blank(array, i+1) {
		to := past(array, i)
		if to <= i || !visit(array[i:to:to]) {
			return false
		}
		if i = blank(array, to); i >= len(array) || array[i] != ',' {
			break
		}
	}
	return i < len(array) && array[i] == ']'
}

// Text decodes a string that [Decode] has accepted. Like encoding/json, it turns half a surrogate
// pair into U+FFFD. It returns false for other values.
func Text(value []byte) (string, bool) {
	if len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
		return "", false
	}
	value = value[1 : len(value)-1]
	at := bytes.IndexByte(value, '\\')
	if at < 0 {
		return string(value), true
	}
	var out strings.Builder // not a []byte, which String would have to copy
	out.Grow(len(value))
	for at >= 0 && at+1 < len(value) {
		out.Write(value[:at])
		c := value[at+1]
		value = value[at+2:]
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			var r rune
			r, value = escaped(value)
			out.WriteRune(r)
			at = bytes.IndexByte(value, '\\')
			continue
		}
		out.WriteByte(c)
		at = bytes.IndexByte(value, '\\')
	}
	out.Write(value)
	return out.String(), true
}

// escaped decodes the four digits after \u, and the second half of a surrogate pair if one follows.
func escaped(text []byte) (r rune, rest []byte) {
	r, rest = unit(text), text[min(4, len(text)):]
	if !utf16.IsSurrogate(r) {
		return r, rest
	}
	if len(rest) >= 6 && rest[0] == '\\' && rest[1] == 'u' {
		if both := utf16.DecodeRune(r, unit(rest[2:])); both != utf8.RuneError {
			return both, rest[6:]
		}
	}
	return utf8.RuneError, rest
}

// unit decodes four hexadecimal digits.
func unit(digits []byte) (r rune) {
	for _, c := range digits[:min(4, len(digits))] {
		switch {
		case c <= '9':
			c -= '0'
		default:
			c = c | 0x20 - 'a' + 10
		}
		r = r<<4 | rune(c)
	}
	return r
}

// past returns the end of the value at i, or i if there is none.
func past(text []byte, i int) int {
	depth := 0
	for i < len(text) {
		switch text[i] {
		case '"':
			i = pastString(text, i) - 1
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		default:
			if depth == 0 {
				for i < len(text) && bytes.IndexByte([]byte(",]} \t\r\n"), text[i]) < 0 {
					i++
				}
				return i
			}
		}
		i++
		if depth <= 0 {
			return i
		}
	}
	return i
}

// pastString returns the end of the string that begins at i.
func pastString(text []byte, i int) int {
	for i++; i < len(text); i++ {
		at := bytes.IndexByte(text[i:], '"')
		if at < 0 {
			return len(text)
		}
		escapes := 0
		for b := i + at - 1; b >= i && text[b] == '\\'; b-- {
			escapes++
		}
		if i += at; escapes%2 == 0 {
			return i + 1
		}
	}
	return len(text)
}

func blank(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	return i
}
