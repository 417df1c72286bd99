package transcript

import (
	"strings"
	"unicode"

	"goated/ui/view"
)

// search finds query in items and ignores case.
func search(items []view.Item, query string) []hit {
	needle := []rune(strings.Map(unicode.ToLower, query))
	if len(needle) == 0 {
		return nil
	}
	words := strings.Fields(bare(string(needle)))
	var hits []hit
	for i, item := range items {
		// Parsing is slow, and most items do not contain the words.
		if !containsAll(bare(SourceOf(item)), words) {
			continue
		}
		for k, b := range partsOf(item) {
			text := []rune(strings.Map(unicode.ToLower, b.Text()))
			for at := 0; at+len(needle) <= len(text); at++ {
				if text[at] != needle[0] || string(text[at:at+len(needle)]) != string(needle) {
					continue
				}
				hits = append(hits, hit{TextPos{i, k, at}, at + len(needle)})
				if len(hits) == maxHits {
					return hits
				}
				at += len(needle) - 1
			}
		}
	}
	return hits
}

// bare returns text in lower case without Markdown marks that may stand within a
// word.
func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("*_~`\\", r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
}

func containsAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return text != ""
}
