package ghost

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// wordsOf returns the words of a text in lower case, without accents and without the suffixes of
// plurals and verbs. It splits camelCase and snake_case, and skips stop words. For scripts without
// spaces between words, it returns each pair of neighbouring characters.
func wordsOf(text string) []string {
	var all []string
	var word, run []rune
	endWord := func() {
		if w := strings.ToLower(string(word)); len(word) > 1 && !stopWords[w] || len(word) == 1 && unicode.IsDigit(word[0]) {
			all = append(all, stem(w))
		}
		word = word[:0]
	}
	endRun := func() {
		for i := range run {
			if i > 0 || len(run) == 1 {
				all = append(all, string(run[max(0, i-1):i+1]))
			}
		}
		run = run[:0]
	}
	letters := []rune(withoutAccents(text))
	for i, r := range letters {
		switch {
		case hasNoSpaces(r):
			endWord()
			run = append(run, r)
			continue
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			endWord()
			endRun()
			continue
		}
		endRun()
		if n := len(word); n > 0 && unicode.IsUpper(r) && (unicode.IsLower(word[n-1]) || unicode.IsUpper(word[n-1]) && i+1 < len(letters) && unicode.IsLower(letters[i+1])) {
			endWord()
		}
		word = append(word, r)
	}
	endWord()
	endRun()
	return all
}

// withoutAccents removes the accents from a text. Only marks on Latin, Greek and Cyrillic letters are
// accents. The marks of other scripts are vowels.
func withoutAccents(text string) string {
	text = strings.NewReplacer(
		"'s", "", "’s", "", // for example in "the user's birthday"
		"ß", "ss", "ẞ", "SS", "æ", "ae", "Æ", "AE", "œ", "oe", "Œ", "OE", "ø", "o", "Ø", "O", "ł", "l", "Ł", "L", "đ", "d", "Đ", "D", // Unicode does not decompose them
	).Replace(text)
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if 0x0300 <= r && r <= 0x036F {
			return -1
		}
		return r
	}, norm.NFKD.String(text)))
}

// hasNoSpaces reports whether a letter belongs to a script that has no spaces between words, or whose
// words have different suffixes.
func hasNoSpaces(r rune) bool {
	return r > unicode.MaxLatin1 && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

// stem removes the suffixes of plurals and verbs.
func stem(word string) string {
	cut := strings.TrimSuffix(strings.TrimSuffix(word, "s"), "ed")
	if len(cut) < 3 {
		return word
	}
	return cut
}

// stopWords are stop words: they occur in many questions and do not identify a fact.
var stopWords = func() map[string]bool {
	all := make(map[string]bool)
	for w := range strings.FieldsSeq(`a an and any are about all am as at be by can could did do does everything for from had has have how i if in is it its just know knows known
		me memory mine my of on or our recall remember remembered remembers saved say she so some stored tell that the their them there these they this those to us was we were
		what when where which who whom whose why will with would you your he him his her`) {
		all[w] = true
	}
	return all
}()

// similarWords reports whether two words differ only in one or two letters, or in a suffix. A single
// character of a script without spaces matches each pair that contains it.
func similarWords(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if hasNoSpaces(x[0]) {
		return len(x) == 1 && slices.Contains(y, x[0])
	}
	if len(x) < 4 {
		return false
	}
	if string(y[:len(x)]) == string(x) {
		return true
	}
	most := 1
	if len(x) >= 8 {
		most = 2
	}
	return len(y)-len(x) <= most && distance(x, y) <= most
}

// distance returns how many letters must be changed, added, removed or swapped with a neighbour to
// turn a into b.
func distance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, change)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
