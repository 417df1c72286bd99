package transcript

import (
	"slices"
	"strings"

	"goated/ui/view"
)

// search finds query in items, ignoring case.
func search(items []view.Item, query string) []hit {
	needle := view.Folded(query)
	if needle == "" {
		return nil
	}
	words := strings.Fields(foldedText(needle))
	var hits []hit
	for i, item := range items {
		// Parsing is slow, and most items do not contain the words.
		if !containsAll(foldedText(sourceOf(item)), words) {
			continue
		}
		if c, ok := item.(view.Card); ok {
			for n, p := range c.Find(query) {
				hits = append(hits, hit{TextPos: TextPos{Item: i, At: n}, place: p})
			}
		} else {
			for k, b := range partsOf(item) {
				for _, at := range view.Occurrences(b.Text(), needle) {
					hits = append(hits, hit{TextPos: TextPos{i, k, at[0]}, to: at[1]})
				}
			}
		}
		if len(hits) >= maxHits {
			return hits[:maxHits]
		}
	}
	return hits
}

// withServerNames returns items as the transcript shows them: with the names of the servers in place of their ids.
func withServerNames(t *Transcript, items []view.Item) []view.Item {
	of := t.Actions.Server
	if of == nil {
		return items
	}
	items = slices.Clone(items)
	for i, item := range items {
		switch item := item.(type) {
		case view.Card:
			if item.Server != "" {
				item.Server = view.SingleLine(of(item.Server))
				items[i] = item
			}
		case view.Notice:
			items[i] = item.Named(of)
		}
	}
	return items
}

// foldedText returns text in lower case, without Markdown marks that may occur within a word.
func foldedText(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("*_~`\\", r) {
			return -1
		}
		return r
	}, view.Folded(text))
}

func containsAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return text != ""
}
