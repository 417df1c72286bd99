package view

import (
	"strings"
	"unicode/utf8"

	"goated/ui/view/format"
	"goated/ui/view/markdown"
)

// Skim returns the beginning of Markdown without marks, on one line of up to 100
// characters. It does not parse, since the sidebar calls it for each new word of
// an answer.
func Skim(markdown string) string {
	var words []string
	for line := range strings.Lines(strings.ToValidUTF8(markdown[:min(len(markdown), 600)], "")) {
		all := strings.Fields(line)
		table := len(all) > 0 && all[0] == "|"
		for i, word := range all {
			switch {
			case !isMark(word):
				words = append(words, strings.Trim(word, "*`~|"))
			case i > 0 && i < len(all)-1 && !(table && word == "|") && isSign(word, all[i-1], all[i+1]):
				words = append(words, word)
			}
		}
	}
	return format.Cut(strings.Join(words, " "), 100)
}

// isMark reports whether a word may be the mark of a list, heading, quote, table or fence.
func isMark(word string) bool { return strings.Trim(word, "-+*#>|=:`~") == "" }

// isSign reports whether a mark between two words is a sign of a calculation or a sentence, as
// in "2 + 2 = 4". The preview of a saved conversation has lost its lines, so a mark of a list may
// stand anywhere.
func isSign(mark, before, after string) bool {
	switch mark {
	case "+", "=", ":", "==", ">=":
		return true
	case "-":
		return isOperand(before) || isOperand(after)
	case "*", ">", "|", "||", "->", "=>", "**":
		return isOperand(before) && isOperand(after)
	}
	return false
}

// isOperand reports whether a word may be a number or a variable.
func isOperand(word string) bool {
	return !isMark(word) && (utf8.RuneCountInString(word) <= 2 || strings.ContainsAny(word, "0123456789"))
}

// LastWords returns the end of a conversation on one line: the last answer, or why
// there is none.
func LastWords(c Chat) string {
	for _, item := range c.items.backward() {
		switch i := item.(type) {
		case Answer:
			return format.Cut(plain(i.Text), 140)
		case Failure:
			return format.Cut(i.Text, 140)
		case Notice:
			return format.Cut(i.Text, 140)
		case User:
			return ""
		}
	}
	return ""
}

// plain returns the beginning of Markdown as plain text.
func plain(source string) string {
	var text []string
	source = strings.ToValidUTF8(source[:min(len(source), 4096)], "") // the rest can't matter
	for _, b := range markdown.Parse(source) {
		text = append(text, b.Text())
	}
	return strings.Join(text, " ")
}
