package errtext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// PlainSentence returns an error as a sentence in plain English.
func PlainSentence(err error) string { return Sentence(Plain(err)) }

// Sentence turns the text of an error into a sentence with a capital letter and a period.
func Sentence(text string) string {
	text = strings.TrimRight(text, ": ") // the ending of an error without a cause
	if text == "" {
		return ""
	}
	first, n := utf8.DecodeRuneInString(text)
	if unicode.IsLower(first) && !strings.HasPrefix(text, "goated") && !strings.ContainsAny(text[:strings.IndexFunc(text+" ", unicode.IsSpace)], "./\\_:(") {
		text = string(unicode.ToUpper(first)) + text[n:]
	}
	if last, _ := utf8.DecodeLastRuneInString(text); unicode.IsLetter(last) || unicode.IsDigit(last) || last == ')' {
		text += "."
	}
	return text
}
