// Package loosejson repairs text that is almost JSON: a Python dictionary, a JavaScript object, an
// example with "…", or Windows paths with single backslashes. Web pages and chats show configurations
// in such forms.
//
// It has no state and must not depend on the purpose of the JSON.
package loosejson

import (
	"bytes"
	"slices"
	"strings"

	"goated/internal/exact"
	"goated/internal/lazyregexp"
)

var (
	// drive matches the start of a Windows path with single backslashes.
	drive = lazyregexp.New(`^[A-Za-z]:\\[^\\]`)
	// bareWord matches an unquoted key, or an unquoted value such as true.
	bareWord = lazyregexp.New(`^[^\s{}\[\],:"'#]+`)
	// number matches a JSON number.
	number = lazyregexp.New(`^-?\d+(\.\d+)?$`)
	// drivePaths matches the start of a JSON string that contains such a path.
	drivePaths = lazyregexp.New(`"[A-Za-z]:\\[^\\"]`)
)

// A rewriter rewrites text that is almost JSON to JSON.
type rewriter struct {
	out   bytes.Buffer
	open  []byte // the closing brackets that are missing
	value bool   // the last word was a value, so a comma comes before the next one
	cut   bool   // the text ends inside a string
}

// Repair returns the JSON that a text stands for. It closes all brackets and adds missing commas. ok is
// false if the text ends inside a string, because the rest of the string is unknown.
func Repair(text string) (repaired string, ok bool) {
	l := &rewriter{}
	for len(text) > 0 {
		text = l.word(text)
	}
	slices.Reverse(l.open)
	return l.out.String() + string(l.open), !l.cut
}

// word rewrites one word and returns the text after it.
func (l *rewriter) word(text string) string {
	switch c := text[0]; {
	case strings.HasPrefix(text, "//"), c == '#':
		if end := strings.IndexByte(text, '\n'); end >= 0 {
			return text[end:]
		}
		return ""
	case strings.HasPrefix(text, "/*"):
		if end := strings.Index(text, "*/"); end >= 0 {
			return text[end+2:]
		}
		return ""
	case c == '"' || c == '\'':
		value, rest, ok := looseString(text)
		l.cut = l.cut || !ok
		l.begin()
		l.out.Write(quotedJSON(value))
		l.value = true
		return rest
	case c == '{' || c == '[':
		l.begin()
		l.out.WriteByte(c)
		l.open = append(l.open, c+2) // } is two code points after {, and ] is two after [
		l.value = false
		return text[1:]
	case c == '}' || c == ']':
		if len(l.open) == 0 {
			return "" // one bracket too many
		}
		l.out.WriteByte(l.open[len(l.open)-1])
		l.open = l.open[:len(l.open)-1]
		l.value = true
		return text[1:]
	case c == ',':
		return text[1:] // begin writes the commas
	case c == ':':
		l.out.WriteByte(':')
		l.value = false
		return text[1:]
	}
	for _, dots := range []string{"...", "…"} {
		if rest, ok := strings.CutPrefix(text, dots); ok {
			return rest
		}
	}
	if word := bareWord.FindString(text); word != "" {
		l.begin()
		switch low := strings.ToLower(word); {
		case low == "true" || low == "false" || low == "null", number.MatchString(word):
			l.out.WriteString(low)
		case strings.Contains(word, "|"): // values to choose from
			l.out.Write(quotedJSON("<" + word + ">"))
		case word == "None" || word == "undefined":
			l.out.WriteString("null")
		case strings.HasPrefix(strings.TrimSpace(text[len(word):]), ":"):
			l.out.Write(quotedJSON(word))
		default:
			l.out.WriteString(word) // a mistake, which the JSON parser reports
		}
		l.value = true
		return text[len(word):]
	}
	if text[0] == '\n' {
		l.out.WriteByte('\n')
	}
	return text[1:]
}

// begin writes a comma if the value that follows is not the first one.
func (l *rewriter) begin() {
	if l.value {
		l.out.WriteByte(',')
	}
	l.value = false
}

// looseString reads a string in single or double quotes. Its backslashes may belong to a Windows path.
func looseString(text string) (value, rest string, ok bool) {
	quote := text[0]
	var out strings.Builder
	plain := drive.MatchString(text[1:])
	for i := 1; i < len(text); i++ {
		c := text[i]
		switch {
		case c == quote:
			return out.String(), text[i+1:], true
		case c == '\\' && i+1 < len(text) && !plain:
			i++
			switch e := text[i]; e {
			case 'n':
				out.WriteByte('\n')
			case 't':
				out.WriteByte('\t')
			case '"', '\'', '\\', '/':
				out.WriteByte(e)
			default:
				out.WriteByte('\\')
				out.WriteByte(e)
			}
		default:
			out.WriteByte(c)
		}
	}
	return out.String(), "", false
}

// Closed fixes mistakes that copying makes at the end of JSON: missing closing brackets, an extra
// bracket, and a trailing comma.
func Closed(text string) string {
	text = strings.TrimRight(text, ", \n\t")
	var open []byte
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			open = append(open, '}')
		case c == '[':
			open = append(open, ']')
		case (c == '}' || c == ']') && len(open) > 0:
			open = open[:len(open)-1]
		case c == '}' && strings.TrimSpace(text[i:]) == "}": // one bracket too many
			return text[:i]
		}
	}
	slices.Reverse(open)
	return text + string(open)
}

// DoubleBackslashes doubles the backslashes of Windows paths in JSON. Otherwise C:\temp would contain a
// tab.
func DoubleBackslashes(text string) string {
	for at := 0; ; {
		m := drivePaths.FindStringIndex(text[at:])
		if m == nil {
			return text
		}
		value, rest, ok := looseString(text[at+m[0]:])
		if !ok {
			return text
		}
		fixed := string(quotedJSON(value))
		text = text[:at+m[0]] + fixed + rest
		at += m[0] + len(fixed)
	}
}

// quotedJSON encodes a text as a JSON string.
func quotedJSON(text string) []byte {
	data, _ := exact.Encode(text) // a string always encodes
	return data
}
