package view

import (
	"regexp"
	"strings"
)

// maxMatches is how many places of one word are told apart.
const maxMatches = 100_000

// A Match is where a text was found.
type Match struct{ Start, End int }

// Find finds where query is in text. Capital letters in query count; without
// any, they do not count in text either.
func Find(text, query string) []Match {
	if query == "" {
		return nil
	}
	if strings.ToLower(query) == query {
		if !ascii(query) {
			return folded(text, query)
		}
		text = small(text)
	}
	var out []Match
	for at := 0; len(out) < maxMatches; {
		i := strings.Index(text[at:], query)
		if i < 0 {
			break
		}
		at += i
		out = append(out, Match{at, at + len(query)})
		at += len(query)
	}
	return out
}

// folded finds query whatever the case of its letters, in any script. It is
// slower, and needs no copy in small letters, in which places could differ.
func folded(text, query string) []Match {
	expr, err := regexp.Compile("(?i)" + regexp.QuoteMeta(query))
	if err != nil {
		return nil // query is no valid text, so no text has it
	}
	var out []Match
	for _, at := range expr.FindAllStringIndex(text, maxMatches) {
		out = append(out, Match{at[0], at[1]})
	}
	return out
}

// small makes the letters A to Z small; every place stays what it was.
func small(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for i := range len(text) {
		c := text[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return b.String()
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}
