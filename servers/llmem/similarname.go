package llmem

import (
	"slices"
	"strings"
	"unicode"

	"goated/servers/llmem/outline"
	"goated/servers/llmem/rank"
)

// similarName reports whether a name that matches no symbol may mean this symbol: it has the same words,
// the same letters in another style, or one typo. words and whole belong to the name.
func similarName(words []string, whole string, y *outline.Symbol) bool {
	if isTypo(whole, lettersAndDigits(y.Name)) || y.Parent != "" && isTypo(whole, lettersAndDigits(qualified(*y))) {
		return true
	}
	if len(words) < 2 {
		return false
	}
	own := rank.Words(qualified(*y))
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(own, w) })
}

// lettersAndDigits returns the letters and digits of a name, in lower case.
func lettersAndDigits(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// isTypo reports whether two texts differ only in one letter that is changed, missing or swapped with
// its neighbour. Short names never match, because too many names are similar to them.
func isTypo(x, y string) bool {
	a, b := []rune(x), []rune(y)
	if x == y {
		return x != ""
	}
	if min(len(a), len(b)) < 4 {
		return false
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}
