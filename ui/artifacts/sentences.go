package artifacts

import (
	"slices"
	"strings"
	"unicode"
)

// sentencesAbout returns the sentences of a paragraph that mention a changed symbol, as ranges of
// characters.
func sentencesAbout(paragraph string, changed []string) (parts [][2]int) {
	names := make(map[string]bool)
	for _, c := range changed {
		c = strings.TrimSuffix(c, " (removed)")
		names[strings.Trim(c[strings.LastIndexByte(c, '.')+1:], "?!=~#")] = true // as in Ruby's empty? and C++'s ~Queue
	}
	text := []rune(paragraph)
	for from := 0; from < len(text); {
		to := sentenceEnd(text, from)
		if slices.ContainsFunc(strings.FieldsFunc(string(text[from:to]), func(r rune) bool { return !nameRune(r) }), func(w string) bool { return names[w] }) {
			begin, end := from, to
			for begin < end && unicode.IsSpace(text[begin]) {
				begin++
			}
			for end > begin && unicode.IsSpace(text[end-1]) {
				end--
			}
			parts = append(parts, [2]int{begin, end})
		}
		from = to
	}
	return parts
}

// sentenceEnd returns the end of the sentence that begins at from. A dot within a word, as in
// queue.go, does not end a sentence.
func sentenceEnd(text []rune, from int) int {
	for i := from; i < len(text); i++ {
		switch text[i] {
		case '\n', '。', '！', '？':
			return i + 1
		case '.', '!', '?':
			if i+1 == len(text) || unicode.IsSpace(text[i+1]) {
				return i + 1
			}
		}
	}
	return len(text)
}

func nameRune(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
