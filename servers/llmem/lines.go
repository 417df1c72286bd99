package llmem

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"goated/internal/lazyregexp"
)

// lineWord matches the words before a line number.
const lineWord = `(?:lines?|lns?\.?|ll?\.?|loc|rows?|zeilen?|lignes?|l[ií]neas?|linhas?|righ[ae]|righe|riga|regels?|строк\p{L}*|第|行)`

// These match a number, a range or a list, in digits or in words.
const (
	one     = `(?:\p{Nd}[\p{Nd}.,_]*|(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand)(?:[\s-]+|\b))+)`
	linked  = `[\s*_` + "`" + `]*(?:[-–—‒‑~…+&,;/:]|\.\.+|\b(?:to|and|or|through|thru|until|till|bis|und|à|y|a)\b)[\s*_` + "`" + `]*(?:` + lineWord + `[\s*_` + "`" + `]*)?`
	numbers = one + `(?:` + linked + one + `)*`
)

var (
	// lineMention matches a number that the text calls a line.
	lineMention = lazyregexp.New(`(?i)(?:\b|_|#)` + lineWord + `[\s_]*(?:numbers?|nos?\.?|nr\.?)?[^\p{L}\p{Nd}\n]{0,6}\n?` + numbers +
		`|\b(?:fourth|(?:fif|six|seven|eigh|nin|ten|eleven|twelf|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)tie)th)\s+(?:lines?|rows?)\b`)
	// numberAfterFile matches a number after a file name.
	numberAfterFile = lazyregexp.New(`(\.[A-Za-z]{1,6})[:#@(]\p{Nd}+(?:[-–:.,]\p{Nd}+)*\)?`)
	// numberOrRange matches a number, or a range.
	numberOrRange = lazyregexp.New(`\p{Nd}[\p{Nd}.,_]*(?:\s?(?:[-–—‒‑~…]|\.\.+|to)\s?\p{Nd}[\p{Nd}.,_]*)*`)
	// listItem matches the number of a list item.
	listItem = lazyregexp.New(`^\s*(\d{1,3})[.)]\s`)
	// unitWord matches words that make a number a size, a time or a count. None of them is a verb: in
	// "12 calls Add" the number is a line number.
	unitWord = lazyregexp.New(`(?i)^(?:[  -]?(?:ms|ns|µs|sec|seconds?|min|minutes?|hours?|days?|weeks?|months?|years?|bytes?|bits?|[kmgt]i?b|px|pixels?|percent|characters?|digits?|items?|entries|elements?|connections?|goroutines?|workers?|users?|tokens?|decimals?)\b|[shxk]\b| ?[%€$°])`)
	// numberedWord matches a word before a number that makes it something else, such as a status or a
	// version.
	numberedWord = lazyregexp.New(`(?:(?i:\b(?:http|https|status|port|rfc|version|python)[ /])|\b[A-Z]{2,}-|\bv)$`)
	// inName matches the beginning of a name, such as SHA256. Names for lines have already been
	// removed.
	inName = lazyregexp.New(`[A-Za-z][A-Za-z0-9_]*$`)
)

// withoutMentions removes the numbers that a text calls lines.
func withoutMentions(text string) string {
	return numberAfterFile.ReplaceAllString(lineMention.ReplaceAllStringFunc(text, changedLines), "$1 [lines changed]")
}

// changedLines keeps the line ending that a mention included.
func changedLines(mention string) string {
	rest := mention[len(strings.TrimRight(mention, " \t\n.,_")):]
	return "[lines changed]" + rest
}

// withoutLines removes line numbers from a text that is older than its file. A reader can take any
// number for a line number, in more forms than a list can have. So it also removes each number that
// is not clearly something else: a size, a time, a part of a name.
func withoutLines(text string) string {
	var b strings.Builder
	item := 0
	for line := range strings.Lines(withoutMentions(text)) {
		if m := listItem.FindStringSubmatchIndex(line); m != nil {
			n := 0
			for _, c := range line[m[2]:m[3]] {
				n = n*10 + int(c-'0')
			}
			if n == item+1 || n == 1 {
				item = n
				b.WriteString(line[:m[1]])
				line = line[m[1]:]
			}
		}
		removeNumbers(&b, line)
	}
	return b.String()
}

// removeNumbers writes a line without the numbers that may be line numbers.
func removeNumbers(b *strings.Builder, line string) {
	done := 0
	for _, m := range numberOrRange.FindAllStringIndex(line, -1) {
		from, to := m[0], m[1]
		if from < done {
			continue // it belongs to a word that was removed
		}
		for strings.ContainsRune(".,_", rune(line[to-1])) { // the end of a sentence
			to--
		}
		before, number, after := line[:from], line[from:to], line[to:]
		if isNotLine(before, number, after) {
			continue
		}
		b.WriteString(line[done:from])
		b.WriteString("[…]")
		done = to
		for done < len(line) && letter(line[done]) { // 12th, 3a9f
			done++
		}
	}
	b.WriteString(line[done:])
}

// isNotLine reports whether a number cannot be a line number.
func isNotLine(before, number, after string) bool {
	switch {
	case strings.Trim(number, "0.,_") == "", number == "1" && strings.HasSuffix(before, "-") && !endsInWord(strings.TrimSuffix(before, "-")):
		return true // there is no line 0, and no line -1
	case unitWord.MatchString(after):
		return true
	case strings.Trim(number, "0123456789_") == "":
		return numberedWord.MatchString(before) || inName.MatchString(before)
	}
	parts := strings.Split(number, ".")
	return len(parts) > 1 && // 1.5 and 1.2.3
		!slices.ContainsFunc(parts, func(p string) bool { return p == "" || strings.Trim(p, "0123456789") != "" }) && !endsIn(before, ":#@(")
}

func letter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// endsInWord reports whether a text ends in a letter or a digit, ignoring spaces.
func endsInWord(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, " "))
	return unicode.IsDigit(r) || r == ']' || s != "" && letter(s[len(s)-1])
}

func endsIn(s, chars string) bool { return s != "" && strings.IndexByte(chars, s[len(s)-1]) >= 0 }
