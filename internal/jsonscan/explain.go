package jsonscan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// excerptSize is the number of bytes that an explanation shows before and after an error.
const excerptSize = 24

// Explain describes the first syntax error of a line that is not JSON, with the text around it.
// fault is the error that the line caused; Explain returns other errors unchanged. The line must be
// UTF-8.
func Explain(line []byte, fault error) error {
	var at *json.SyntaxError
	var v json.RawMessage
	if !errors.Is(fault, ErrSyntax) || !errors.As(json.Unmarshal(line, &v), &at) {
		return fault
	}
	i := int(at.Offset) - 1
	if i < 0 || i >= len(line) || strings.HasPrefix(at.Error(), "unexpected end") {
		return fmt.Errorf("%w: it ends before its last bracket, at %s", fault, excerpt(line, len(line)))
	}
	rest, before := line[i:], bytes.TrimRight(line[:i], " \t")
	char, _ := utf8.DecodeRune(rest)
	what := "character " + strconv.QuoteRune(char) + " is not expected"
	switch word := literal(rest); {
	case rest[0] == 'I' && bytes.HasSuffix(before, []byte("-")):
		what = "-Infinity is not a JSON value"
	case word == "NaN", word == "Infinity", word == "None", word == "True", word == "False", word == "undefined":
		what = word + " is not a JSON value"
	case (rest[0] == '}' || rest[0] == ']') && bytes.HasSuffix(before, []byte(",")):
		what = "there is a comma before " + string(rest[:1])
	case rest[0] == '\'':
		what = "JSON uses double quotes, not single ones"
	case strings.Contains(at.Error(), "in string literal"):
		what = fmt.Sprintf("a string has the control character U+%04X, which must be escaped", rest[0])
	}
	return fmt.Errorf("%w: %s, at %s", fault, what, excerpt(line, i))
}

// literal returns the word at the beginning of a text.
func literal(text []byte) string {
	end := bytes.IndexFunc(text, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') })
	if end < 0 {
		end = len(text)
	}
	return string(text[:min(end, excerptSize)])
}

// excerpt returns the text around a position.
func excerpt(line []byte, i int) string {
	text := strings.ToValidUTF8(string(line[max(0, i-excerptSize):min(len(line), i+excerptSize)]), "")
	if i > excerptSize {
		text = "…" + text
	}
	if i+excerptSize < len(line) {
		text += "…"
	}
	return text
}
