package view

import (
	"strings"
	"unicode/utf8"

	"goated/ui/view/format"
	"goated/ui/view/markdown"
)

// PreviewLine returns the beginning of a Markdown text without marks, on one line of up to 100
// characters.
func PreviewLine(markdown string) string { return format.Cut(PlainBeginning(markdown), 100) }

// PlainBeginning returns the beginning of a Markdown text, up to 600 bytes, without marks and on one line.
// It does not parse the text, because the sidebar calls it for each new word of an answer.
func PlainBeginning(markdown string) string {
	var words []string
	for line := range strings.Lines(strings.ToValidUTF8(markdown[:min(len(markdown), 600)], "")) {
		all := strings.Fields(withoutMarks(line))
		table := len(all) > 0 && all[0] == "|"
		for i, word := range all {
			switch {
			case !isMark(word):
				words = append(words, strings.Trim(word, "|"))
			case i > 0 && i < len(all)-1 && !(table && word == "|") && isSign(word, all[i-1], all[i+1]):
				words = append(words, word)
			}
		}
	}
	return strings.Join(words, " ")
}

// withoutMarks returns a line without the marks of emphasis, code and links. It keeps a mark without
// its partner, as in *.go, unless the mark is doubled, because the partner of a doubled mark
// comes with a later word.
func withoutMarks(line string) string {
	if !strings.ContainsAny(line, "*`~[") {
		return line
	}
	out := make([]byte, 0, len(line))
	var open []string // the open emphasis marks
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == '`':
			n := repeatCount(line[i:])
			code, rest, closed := strings.Cut(line[i+n:], line[i:i+n])
			if closed && n < 3 {
				out = append(out, code...)
				i = len(line) - len(rest)
				continue
			}
			i += n // a fence, or code that is still incomplete
		case c == '*' || c == '~' && strings.HasPrefix(line[i:], "~~"):
			n := repeatCount(line[i:])
			mark := line[i : i+n]
			opens := i+n < len(line) && line[i+n] > ' ' && (i == 0 || !inWord(line[i-1])) && (n > 1 || hasClosingMark(line[i+n:], mark))
			switch {
			case len(open) > 0 && open[len(open)-1] == mark && mayEndEmphasis(line, i, i+n):
				open = open[:len(open)-1]
			case opens:
				open = append(open, mark)
			default:
				out = append(out, mark...)
			}
			i += n
		case c == '[':
			text, address, ok := strings.Cut(line[i+1:], "](")
			end := strings.IndexByte(address, ')')
			if !ok || end < 0 || strings.Contains(text, "[") {
				out = append(out, c)
				i++
				continue
			}
			if n := len(out); n > 0 && out[n-1] == '!' { // a picture
				out = out[:n-1]
			}
			out = append(out, withoutMarks(text)...)
			i += len("[") + len(text) + len("](") + end + len(")")
		default:
			out = append(out, c)
			i++
		}
	}
	return string(out)
}

// hasClosingMark reports whether a text contains a mark that ends emphasis.
func hasClosingMark(text, mark string) bool {
	for i := 1; i < len(text); {
		at := strings.Index(text[i:], mark)
		if at < 0 {
			return false
		}
		i += at
		end := i + repeatCount(text[i:])
		if end == i+len(mark) && mayEndEmphasis(text, i, end) {
			return true
		}
		i = end
	}
	return false
}

// mayEndEmphasis reports whether the mark between two offsets may end emphasis. Such a mark is at the end
// of a word, not within one.
func mayEndEmphasis(text string, from, to int) bool {
	return from > 0 && text[from-1] > ' ' && (to == len(text) || !inWord(text[to]))
}

// inWord reports whether a byte is part of a letter or a digit.
func inWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

// repeatCount returns how many times the first byte of a text repeats.
func repeatCount(text string) int {
	n := 1
	for n < len(text) && text[n] == text[0] {
		n++
	}
	return n
}

// isMark reports whether a word may be the mark of a list, heading, quote, table or fence.
func isMark(word string) bool { return strings.Trim(word, "-+*#>|=:`~") == "" }

// isSign reports whether a mark between two words belongs to a calculation or a sentence, as in
// "2 + 2 = 4". The preview of a saved conversation has no line breaks, so a list mark may be
// anywhere.
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

// LastAnswerLine returns the end of a conversation on one line: the last answer, or the reason why
// there is none.
func LastAnswerLine(c Chat) string {
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
	return markdown.Unmarked(source[:min(len(source), 4096)]) // the rest does not matter
}
