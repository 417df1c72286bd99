package ghost

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"goated/internal/truncate"
)

// The limits of a hint: facts with their values, keys, and words of a question.
const (
	maxSimilar = 5
	maxKeys    = 20
	maxWords   = 20
	maxShown   = 200 // characters of a value or a key
)

// readAll tells the model how to list the keys that an answer leaves out.
const readAll = "\nFor all keys, read the key \"*\" with manage_memory."

// similar lists the facts that a key may mean, best first. If there are none, it lists existing
// keys. For example, "dentist appointment" finds the fact "dentist". It returns "" if the memory is
// empty.
func similar(all facts, key string) string {
	near := closest(all, key)
	if len(near) > 0 {
		parts := make([]string, min(len(near), maxSimilar))
		for i := range parts {
			parts[i] = displayKey(near[i]) + " = " + shorten(display(all[near[i]]))
		}
		return heading("Similar memories", len(parts), len(near)) + " " + strings.Join(parts, "; ")
	}
	keys := slices.Sorted(maps.Keys(all))
	if len(keys) == 0 {
		return ""
	}
	parts := make([]string, min(len(keys), maxKeys))
	for i := range parts {
		parts[i] = displayKey(keys[i])
	}
	hint := heading("Saved keys", len(parts), len(keys)) + " " + strings.Join(parts, ", ")
	if len(parts) < len(keys) {
		hint += readAll
	}
	return hint
}

// heading returns the heading for a list of some items out of all.
func heading(what string, some, all int) string {
	if some == all {
		return what + ":"
	}
	return fmt.Sprintf("%s, %d of %d:", what, some, all)
}

// The weights of a word that a question shares with a fact: in the key, similar to a word in the
// key, and in the value.
const (
	inKey   = 3
	likeKey = 1.5
	inValue = 1
)

// closest returns the keys of the facts that share words with a key, best first. Rare words count
// more.
func closest(all facts, key string) []string {
	wanted := wordsOf(key)
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	wanted = wanted[:min(len(wanted), maxWords)]
	joined := strings.Join(wordsOf(key), "")

	type fact struct {
		key     string
		words   int
		weights []float64 // weight of each word in the question
		score   float64
	}
	near := make([]fact, 0, len(all))
	facts := make([]int, len(wanted)) // number of facts that contain each word
	like := make(map[[2]string]bool)
	for k, raw := range all {
		words := wordsOf(k)
		values := wordsOf(shorten(display(raw)))
		f := fact{key: k, words: len(words), weights: make([]float64, len(wanted))}
		if joined != "" && strings.Join(words, "") == joined {
			f.score = 2 * inKey * math.Log(2+float64(len(all))) // the same words, joined or in another style
		}
		for i, w := range wanted {
			switch {
			case slices.Contains(words, w):
				f.weights[i] = inKey
			case slices.ContainsFunc(words, func(word string) bool {
				pair := [2]string{w, word}
				known, ok := like[pair]
				if !ok {
					known = similarWords(w, word)
					like[pair] = known
				}
				return known
			}):
				f.weights[i] = likeKey
			case slices.Contains(values, w):
				f.weights[i] = inValue
			default:
				continue
			}
			facts[i]++
		}
		near = append(near, f)
	}
	for n := range near {
		f := &near[n]
		for i, weight := range f.weights {
			if weight > 0 {
				f.score += weight * math.Log(1+float64(len(all))/float64(facts[i]))
			}
		}
		f.score /= 1 + 0.05*float64(f.words) // prefer a key with few other words
	}
	near = slices.DeleteFunc(near, func(f fact) bool { return f.score == 0 })
	slices.SortFunc(near, func(a, b fact) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.key, b.key))
	})
	keys := make([]string, len(near))
	for i, f := range near {
		keys[i] = f.key
	}
	return keys
}

// shorten cuts a long text.
func shorten(text string) string { return truncate.Runes(text, maxShown) }
