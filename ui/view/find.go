package view

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMatches is the most matches that a search returns.
const maxMatches = 100_000

// A Match is a range of bytes where a text was found.
type Match struct{ Start, End int }

// Find returns where query occurs in text. It is case-sensitive only if query has
// capital letters.
func Find(text, query string) []Match {
	if strings.ToLower(query) == query {
		return inAnyCase(text, Folded(query))
	}
	return exactly(text, query)
}

// Occurrences returns the ranges of characters of text that equal words in any case.
// words is folded.
func Occurrences(text, words string) (out [][2]int) {
	chars, at := 0, 0
	for _, m := range inAnyCase(text, words) {
		from := chars + utf8.RuneCountInString(text[at:m.Start])
		chars, at = from+utf8.RuneCountInString(text[m.Start:m.End]), m.End
		out = append(out, [2]int{from, chars})
	}
	return out
}

func exactly(text, query string) (out []Match) {
	if query == "" {
		return nil
	}
	for at := 0; len(out) < maxMatches; at += len(query) {
		i := strings.Index(text[at:], query)
		if i < 0 {
			break
		}
		at += i
		out = append(out, Match{at, at + len(query)})
	}
	return out
}

// inAnyCase returns where words, which are folded, occur in text. A folded text has as many
// characters as text. They may have other sizes, so each match moves to the bytes of text.
func inAnyCase(text, words string) []Match {
	folded := Folded(text)
	out := exactly(folded, words)
	if ascii(text) {
		return out
	}
	from, to := 0, 0 // the same character in folded and in text
	move := func(end int) int {
		for from < end {
			_, n := utf8.DecodeRuneInString(folded[from:])
			_, m := utf8.DecodeRuneInString(text[to:])
			from, to = from+n, to+m
		}
		return to
	}
	for i, m := range out {
		out[i] = Match{move(m.Start), move(m.End)}
	}
	return out
}

// Folded returns text with one form for the cases of each letter, with as many characters. K, k and the
// sign of kelvin are one letter, as are the two small sigmas.
func Folded(text string) string {
	if ascii(text) {
		return strings.ToLower(text)
	}
	return strings.Map(foldedRune, text)
}

func foldedRune(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	first := r // of the forms, in the order of their numbers
	for form := unicode.SimpleFold(r); form != r; form = unicode.SimpleFold(form) {
		first = min(first, form)
	}
	return unicode.ToLower(first)
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
