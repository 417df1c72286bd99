package exact

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"
)

// Hide returns text with the values of the named members replaced, at any depth. It does not search
// inside a value that it replaces. It finds only names without escapes. Text before and after a
// JSON value is allowed. If there is nothing to replace, or text is not valid JSON, Hide returns
// text itself. It never modifies text.
func Hide(text []byte, members map[string]Form) []byte {
	if !mentions(text, members) {
		return text
	}
	var out []byte
	done := 0
	for i := 0; i < len(text); {
		if text[i] != '"' {
			i++
			continue
		}
		end := skipString(text, i)
		if end < 0 {
			return text
		}
		colon := blank(text, end)
		if colon >= len(text) || text[colon] != ':' {
			i = end
			continue
		}
		form, ok := members[string(text[i+1:end-1])]
		i = colon + 1
		if !ok {
			continue
		}
		from := blank(text, i)
		to := skip(text, from)
		if to < 0 {
			return text
		}
		i = to
		if text[from] == 'n' {
			continue
		}
		value := text[from:to]
		wrong, huge := changes(value)
		if form != Text && (text[from] != '{' || !wrong && form != Question && form != Ordered) {
			continue
		}
		if out == nil {
			size := len(text) + len(value) + 64
			if form == Text {
				size = len(text) + bytes.Count(value, []byte(`"`)) + bytes.Count(value, []byte(`\\`)) + 64
			}
			out = make([]byte, 0, size)
		}
		out = append(out, text[done:from]...)
		done = to
		switch form {
		case Text:
			out = quote(append(out, '"'), mark, value)
		case Inside, Question:
			out = append(out, `{"`+mark+`":"`...)
			out = append(quote(out, "", value), '}')
		case Beside, Ordered:
			out = beside(out, value, huge)
		}
	}
	if out == nil {
		return text
	}
	return append(out, text[done:]...)
}

// mentions reports whether text contains the name of a member.
func mentions(text []byte, members map[string]Form) bool {
	for name := range members {
		if bytes.Contains(text, []byte(`"`+name+`"`)) {
			return true
		}
	}
	return false
}

// beside appends an object with its own text as an additional last member. If a number in it is out
// of range, it omits the other members, because a decoder would refuse them.
func beside(out, object []byte, huge bool) []byte {
	inner := bytes.TrimSpace(object[1 : len(object)-1])
	out = append(out, '{')
	if len(inner) > 0 && !huge {
		out = append(append(out, inner...), ',')
	}
	out = append(out, `"`+mark+`":"`...)
	return append(quote(out, "", object), '}')
}

// quote appends prefix and text as the rest of a JSON string. Its opening quote is already in out.
func quote(out []byte, prefix string, text []byte) []byte {
	out = append(out, prefix...)
	start := 0
	for i, c := range text {
		if c != '"' && c != '\\' && c >= ' ' {
			continue
		}
		out = append(out, text[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			out = append(out, '\\', c)
		default: // white space between the tokens
			out = append(out, ' ')
		}
	}
	return append(append(out, text[start:]...), '"')
}

// changes reports whether float64 would change a number in a value or the value contains a mark,
// and whether a number is out of float64's range.
func changes(value []byte) (wrong, huge bool) {
	wrong = bytes.Contains(value, []byte(mark)) || bytes.Contains(value, []byte(`\ue000`)) || bytes.Contains(value, []byte(`\uE000`))
	for i := 0; i < len(value); {
		switch c := value[i]; {
		case c == '"':
			if i = skipString(value, i); i < 0 {
				return false, false
			}
		case c == '-' || c >= '0' && c <= '9':
			end := i + 1
			for end < len(value) && numeral(value[end]) {
				end++
			}
			same, fits := canonical(value[i:end])
			wrong, huge = wrong || !same, huge || !fits
			i = end
		default:
			i++
		}
	}
	return wrong, huge
}

func numeral(c byte) bool {
	return c >= '0' && c <= '9' || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-'
}

// canonical reports whether encoding/json writes a number in the same way after it decodes it to a
// float64, and whether the number fits into a float64.
func canonical(number []byte) (same, fits bool) {
	if len(number) <= 15 && number[0] != '-' && !bytes.ContainsAny(number, ".eE") {
		return true, true
	}
	f, err := strconv.ParseFloat(string(number), 64)
	if err != nil || math.IsInf(f, 0) {
		return false, false
	}
	written, err := json.Marshal(f)
	return err == nil && bytes.Equal(written, number), true
}

// skip returns the end of the JSON value at i, or -1.
func skip(text []byte, i int) int {
	if i >= len(text) {
		return -1
	}
	switch c := text[i]; {
	case c == '"':
		return skipString(text, i)
	case c != '{' && c != '[':
		for i < len(text) && (numeral(text[i]) || text[i] >= 'a' && text[i] <= 'z') {
			i++
		}
		return i
	}
	depth := 0
	for i < len(text) {
		switch text[i] {
		case '"':
			if i = skipString(text, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}

// skipString returns the end of the string at i, or -1.
func skipString(text []byte, i int) int {
	for i++; ; i++ {
		at := bytes.IndexByte(text[i:], '"')
		if at < 0 {
			return -1
		}
		escapes := 0
		for b := i + at - 1; b >= i && text[b] == '\\'; b-- {
			escapes++
		}
		i += at
		if escapes%2 == 0 {
			return i + 1
		}
	}
}

func blank(text []byte, i int) int {
	for i < len(text) && text[i] < utf8.RuneSelf && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	return i
}
