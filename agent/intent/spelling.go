package intent

import (
	"slices"
	"strings"

	"goated/internal/lazyregexp"
)

// countInWords matches a count in words, such as "the last three commits".
var countInWords = lazyregexp.New(`(?i)\b(first|last|next|top|latest|newest|recent)\s+(two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|hundred)\b`)

// counts maps the words of countInWords to digits.
var counts = map[string]string{"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "twelve": "12", "twenty": "20", "fifty": "50", "hundred": "100"}

func digits(said string) string {
	at := strings.LastIndexAny(said, " \t\n")
	return said[:at+1] + counts[strings.ToLower(said[at+1:])]
}

// verbs lists the words that begin orders.
var verbs = strings.Fields(`show list read open view find search write save create delete remove rename move copy play remember forget close
	convert fetch download commit switch checkout stage merge describe replace change insert select update compare append summarize`)

// firstWord matches the first word of a request.
var firstWord = lazyregexp.New(`^\pL{4,}`)

// spell corrects the first word of a request if it is a verb with two letters swapped, one letter
// missing or one letter doubled. It keeps a word that is part of a tool's name. It keeps all other
// words, because they may be the values of arguments.
func (x *index) spell(text string) string {
	word := lowerCase(firstWord.FindString(text))
	if word == "" || x.names[stem(word)] || len(conceptsOf(stem(word))) > 0 || stopWords[word] || slices.Contains(verbs, word) || changeVerbs[stem(word)] || lookupVerbs[stem(word)] {
		return text
	}
	for _, verb := range verbs {
		if misspelled(word, verb) {
			return verb + text[len(word):]
		}
	}
	return text
}

// misspelled reports whether a word is a verb with one typing error.
func misspelled(word, verb string) bool {
	i := 0
	for i < len(word) && i < len(verb) && word[i] == verb[i] {
		i++
	}
	switch {
	case i == len(word) || i == 0 && word[:2] != verb[1:2]+verb[:1]: // "ran" is not "rank"
		return false
	case len(word) == len(verb): // two letters are swapped
		return i+1 < len(word) && word[i] == verb[i+1] && word[i+1] == verb[i] && word[i+2:] == verb[i+2:]
	case len(word) == len(verb)-1: // one letter is missing; "lose" is not "close"
		return len(word) > 4 && word[i:] == verb[i+1:]
	case len(word) == len(verb)+1 && i < len(word): // one letter is doubled
		return i > 0 && word[i] == word[i-1] && word[i+1:] == verb[i:]
	}
	return false
}
