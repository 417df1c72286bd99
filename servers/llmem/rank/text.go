package rank

import (
	"unicode"
	"unicode/utf8"
)

// Words returns the words of a question or a name in lower case, without suffixes and without stop
// words. It splits camelCase and snake_case.
func Words(s string) (words []string) {
	eachWord(s, nil, func(w []byte) {
		if !isStopWord(w) {
			words = append(words, string(w))
		}
	})
	return words
}

// eachWord calls f with each word of s in lower case and without its suffix. It includes stop
// words. f must not keep the word, because all words share buf, which eachWord returns for the next
// call. A question reads each word of a workspace, so this avoids an allocation per word.
func eachWord(s string, buf []byte, f func(word []byte)) []byte {
	buf = buf[:0]
	flush := func() {
		if w := stem(buf); len(w) > 1 {
			f(w)
		}
		buf = buf[:0]
	}
	last := ' '
	for i, r := range s {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			buf = append(buf, byte(r))
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
		default:
			if unicode.IsUpper(r) && (unicode.IsLower(last) || unicode.IsUpper(last) && lowerFollows(s[i:])) {
				flush()
			}
			buf = utf8.AppendRune(buf, unicode.ToLower(r))
		}
		last = r
	}
	flush()
	return buf
}

// lowerFollows reports whether the second letter of s is lower case.
func lowerFollows(s string) bool {
	_, n := utf8.DecodeRuneInString(s)
	r, _ := utf8.DecodeRuneInString(s[n:])
	return unicode.IsLower(r)
}

// stem removes common English endings.
func stem(w []byte) []byte {
	for _, end := range [...]string{"ations", "ation", "ings", "ing", "ers", "er", "ies", "ied", "es", "ed", "s", "e"} {
		if n := len(w) - len(end); n >= 3 && string(w[n:]) == end {
			return w[:n]
		}
	}
	return w
}

// isStopWord reports whether a word is a stop word in a question about code.
func isStopWord(w []byte) bool {
	switch string(w) {
	case "a", "an", "and", "are", "as", "at", "be", "by", "do", "does", "for", "from", "how", "i", "if", "in", "is", "it", "its", "no", "not", "of",
		"on", "or", "that", "th", "the", "ther", "this", "thes", "to", "us", "use", "used", "was", "wher", "what", "when", "which", "who", "why", "will",
		"with", "return", "it'", "can", "has", "hav", "function", "method", "class", "cod", "file", "wheth", "given", "specifi", "value", "new", "get",
		"set":
		return true
	}
	return false
}
