// Package match finds words in a text regardless of case, and extracts the text around them. It must
// not depend on what the texts are.
package match

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sizes of a snippet, in characters.
const (
	snippetBefore = 40 // before the first match
	snippetLength = 160
)

// Snippet extracts the text around the first match, and returns the byte offsets of all matches in it.
// words must be folded; see [Fold].
func Snippet(text string, words []string) (string, [][2]int) {
	first := len(text)
	folded := Fold(text)
	for _, w := range words {
		if at := strings.Index(folded, w); at >= 0 {
			first = min(first, at)
		}
	}
	// Folding changes the size of characters, but not their number.
	at := 0
	if first < len(text) {
		at = utf8.RuneCountInString(folded[:first])
	}
	runes := []rune(text)
	from := max(0, at-snippetBefore)
	to := min(len(runes), from+snippetLength)
	line := strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == 0 {
			return ' '
		}
		return r
	}, string(runes[from:to])))
	if from > 0 {
		line = "…" + line
	}
	if to < len(runes) {
		line += "…"
	}
	return line, matches(line, words)
}

// matches returns the byte offsets of the words in a line, in order. It merges matches that overlap or
// touch.
func matches(line string, words []string) [][2]int {
	folded := Fold(line)
	// The byte offsets of the characters in the folded line, and in the line itself.
	var in, out []int
	for i := range folded {
		in = append(in, i)
	}
	for i := range line {
		out = append(out, i)
	}
	in, out = append(in, len(folded)), append(out, len(line))
	place := func(i int) int {
		n, _ := slices.BinarySearch(in, i)
		return out[n]
	}
	var found [][2]int
	for _, w := range words {
		for from := 0; ; {
			at := strings.Index(folded[from:], w)
			if at < 0 {
				break
			}
			found = append(found, [2]int{place(from + at), place(from + at + len(w))})
			from += at + len(w)
		}
	}
	slices.SortFunc(found, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
	var merged [][2]int
	for _, m := range found {
		if n := len(merged); n > 0 && m[0] <= merged[n-1][1] {
			merged[n-1][1] = max(merged[n-1][1], m[1])
			continue
		}
		merged = append(merged, m)
	}
	return merged
}

// Fold maps texts that differ only in case to the same text. It preserves the number of characters, so
// that character offsets remain valid. It replaces invalid UTF-8 as JSON does.
func Fold(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == 0:
			return ' ' // SQLite would end the text here
		case r <= unicode.MaxASCII:
			return unicode.ToUpper(r)
		}
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, text)
}
