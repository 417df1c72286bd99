// Package fuzzy ranks the choices that match what the user typed. It is pure: it must not know
// what the choices are.
package fuzzy

import (
	"slices"
	"unicode"
)

// The score of each letter of a match.
const (
	worthLetter   = 10
	worthStart    = 16 // it begins a word
	worthNext     = 14 // it follows the previous matched letter directly
	worthFirst    = 8  // it is the first letter of the text
	costSkipped   = 1  // for each letter between two matched letters
	costSkippable = 12 // the maximal cost of a gap
	longestMatch  = 200
)

// fuzzy finds the letters of query in text, in order but not necessarily adjacent. It ignores
// case, and spaces in query. It returns the score of the best match and the indexes of its
// characters in text. An empty query matches everything with score 0.
func fuzzy(query, text string) (score int, at []int, ok bool) {
	want := lowerRunes(query)
	want = slices.DeleteFunc(want, unicode.IsSpace)
	have := lowerRunes(text)
	have = have[:min(len(have), longestMatch)]
	if len(want) == 0 {
		return 0, nil, true
	}
	if !hasInOrder(want, have) { // rejects most texts without computing scores
		return 0, nil, false
	}
	starts := wordStarts(text, len(have))
	// best[i][j] is the score of want[:i+1] with its last letter at have[j];
	// from[i][j] is the index of the letter before.
	const never = -1 << 30
	best, from := make([][]int, len(want)), make([][]int, len(want))
	for i, w := range want {
		best[i], from[i] = make([]int, len(have)), make([]int, len(have))
		for j, h := range have {
			best[i][j], from[i][j] = never, -1
			if h != w {
				continue
			}
			own := worthLetter
			if starts[j] {
				own += worthStart
			}
			if i == 0 {
				if j == 0 {
					own += worthFirst
				}
				best[i][j] = own - min(j*costSkipped, costSkippable)
				continue
			}
			for k := range j {
				if best[i-1][k] == never {
					continue
				}
				worth := best[i-1][k] + own
				if k == j-1 {
					worth += worthNext
				} else {
					worth -= min((j-k-1)*costSkipped, costSkippable)
				}
				if worth > best[i][j] {
					best[i][j], from[i][j] = worth, k
				}
			}
		}
	}
	last := len(want) - 1
	end, score := -1, never
	for j, worth := range best[last] {
		if worth > score {
			end, score = j, worth
		}
	}
	if end < 0 {
		return 0, nil, false
	}
	at = make([]int, len(want))
	for i := last; i >= 0; i-- {
		at[i] = end
		end = from[i][end]
	}
	return score, at, true
}

// hasInOrder reports whether have contains the letters of want in the same order.
func hasInOrder(want, have []rune) bool {
	for _, h := range have {
		if h == want[0] {
			if want = want[1:]; len(want) == 0 {
				return true
			}
		}
	}
	return false
}

// lowerRunes returns text in lower case, with one rune per character.
func lowerRunes(text string) []rune {
	runes := []rune(text)
	for i, r := range runes {
		runes[i] = unicode.ToLower(r)
	}
	return runes
}

// wordStarts reports which of the first n characters begin a word. A word begins after a
// non-letter, and at a capital letter after a lower-case letter.
func wordStarts(text string, n int) []bool {
	starts := make([]bool, n)
	before := ' '
	i := 0
	for _, r := range text {
		if i == n {
			break
		}
		word := unicode.IsLetter(r) || unicode.IsDigit(r)
		after := unicode.IsLetter(before) || unicode.IsDigit(before)
		starts[i] = word && !after || unicode.IsUpper(r) && unicode.IsLower(before)
		before = r
		i++
	}
	return starts
}

// A Ranked is a choice that matches a query.
type Ranked struct {
	Index int   // of the choice
	At    []int // the matched characters of the title; nil if the query matches only with the text beside it
	Score int
}

// Rank returns the choices that match query, best first. Choices with equal scores keep their
// order. Matches in the text beside a choice's title, for example its group, count less.
func Rank(query string, n int, words func(i int) (title, beside string)) []Ranked {
	var found []Ranked
	for i := range n {
		title, beside := words(i)
		score, at, ok := fuzzy(query, title)
		if !ok {
			if score, _, ok = fuzzy(query, beside+" "+title); !ok {
				continue
			}
			score, at = score/2-worthStart, nil
		}
		found = append(found, Ranked{Index: i, At: at, Score: score})
	}
	slices.SortStableFunc(found, func(a, b Ranked) int { return b.Score - a.Score })
	return found
}
