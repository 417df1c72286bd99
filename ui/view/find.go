package view

import (
	"regexp"
	"strings"
)

// maxMatches is the most matches that Find returns.
const maxMatches = 100_000

// A Match is a range of bytes where a text was found.
type Match struct{ Start, End int }

// Find returns where query occurs in text. It is case-sensitive only if query has
// capital letters.
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

// folded finds query without regard to case, in any script. It is slower, but works
// on the text itself: offsets in a lower-case copy could differ.
func folded(text, query string) []Match {
	expr, err := regexp.Compile("(?i)" + regexp.QuoteMeta(query))
	if err != nil {
		return nil // query is not valid UTF-8, so no text contains it
	}
	var out []Match
	for _, at := range expr.FindAllStringIndex(text, maxMatches) {
		out = append(out, Match{at[0], at[1]})
	}
	return out
}

// small turns A to Z into lower case. Offsets stay the same.
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
