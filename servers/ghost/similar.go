package ghost

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"goated/internal/truncate"
)

// The limits of a hint: facts with their values, and keys.
const (
	maxSimilar = 5
	maxKeys    = 20
	maxShown   = 200 // characters of a value or a key
)

// similar names the facts that share a word with a key, and otherwise the keys that there
// are: who asks for "dentist appointment" finds the fact "dentist". It is empty if the memory is.
func similar(all facts, key string) string {
	near, keys := closest(all, key)
	switch {
	case len(near) > 0:
		near = near[:min(len(near), maxSimilar)]
		for i, k := range near {
			near[i] = shorten(k) + " = " + shorten(display(all[k]))
		}
		return "Similar memories: " + strings.Join(near, "; ")
	case len(keys) > 0:
		keys = keys[:min(len(keys), maxKeys)]
		for i, k := range keys {
			keys[i] = shorten(k)
		}
		return "Saved keys: " + strings.Join(keys, ", ")
	}
	return ""
}

// closest returns the keys of the facts that share a word with a key, and all keys, in order.
func closest(all facts, key string) (near, keys []string) {
	wanted := wordsOf(key)
	keys = slices.Sorted(maps.Keys(all))
	for _, k := range keys {
		said := wordsOf(k + " " + shorten(display(all[k])))
		if slices.ContainsFunc(said, func(w string) bool { return slices.Contains(wanted, w) }) {
			near = append(near, k)
		}
	}
	return near, keys
}

// wordsOf returns the words of a text in lower case. It leaves out words of two letters, which
// say too little, and endings of plurals and verbs.
func wordsOf(text string) []string {
	var all []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len([]rune(w)) > 2 {
			all = append(all, strings.TrimSuffix(strings.TrimSuffix(w, "s"), "ed"))
		}
	}
	return all
}

// shorten cuts a long text.
func shorten(text string) string { return truncate.Runes(text, maxShown) }
