package view

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMatches limits the number of matches of a search.
const maxMatches = 100_000

// A Match is the byte range of a match in a text.
type Match struct{ Start, End int }

// Find returns the matches of query in text. It is case-sensitive only if query contains capital
// letters.
func Find(text, query string) []Match {
	if strings.ToLower(query) == query {
		return foldedMatches(text, Folded(query))
	}
	return exactMatches(text, query)
}

// Occurrences returns the character ranges of text that match words, ignoring case. words is
// folded.
func Occurrences(text, words string) (out [][2]int) {
	chars, at := 0, 0
	for _, m := range foldedMatches(text, words) {
		from := chars + utf8.RuneCountInString(text[at:m.Start])
		chars, at = from+utf8.RuneCountInString(text[m.Start:m.End]), m.End
		out = append(out, [2]int{from, chars})
	}
	return out
}

func exactMatches(text, query string) (out []Match) {
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

// foldedMatches returns the matches of words, which are folded, in text. A folded text has as many
// characters as the original, but their sizes in bytes may differ, so each match is converted to
// byte offsets in text.
func foldedMatches(text, words string) []Match {
	folded := Folded(text)
	out := exactMatches(folded, words)
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

// Folded returns text in case-folded form, with the same number of characters. For example, K, k
// and the Kelvin sign become one letter, and so do the two small sigmas.
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
	first := r // the form with the smallest code point
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
