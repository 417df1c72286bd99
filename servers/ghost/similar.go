package ghost

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// The limits of a hint: facts with their values, and keys.
const (
	maxSimilar = 5
	maxKeys    = 20
	maxShown   = 200 // characters of a value or a key
)

// similar names the facts that share a word with a key, and otherwise the keys that there
// are: who asks for "dentist appointment" finds the fact "dentist". It is empty if the memory is.
func similar(facts map[string]json.RawMessage, key string) string {
	wanted := wordsOf(key)
	var found, keys []string
	for _, k := range slices.Sorted(maps.Keys(facts)) {
		value := display(facts[k])
		keys = append(keys, shorten(k))
		if slices.ContainsFunc(wordsOf(k+" "+shorten(value)), func(w string) bool { return slices.Contains(wanted, w) }) {
			found = append(found, shorten(k)+" = "+shorten(value))
		}
	}
	switch {
	case len(found) > 0:
		return "Similar memories: " + strings.Join(found[:min(len(found), maxSimilar)], "; ")
	case len(keys) > 0:
		return "Saved keys: " + strings.Join(keys[:min(len(keys), maxKeys)], ", ")
	}
	return ""
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
func shorten(text string) string {
	if r := []rune(text); len(r) > maxShown {
		return string(r[:maxShown]) + "…"
	}
	return text
}
