package rank

import (
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"goated/servers/llmem/index"
)

// Words returns the words of a question or a name in lower case, without endings and
// without words that carry no meaning. It splits camelCase and snake_case.
func Words(s string) (words []string) {
	eachWord(s, nil, func(w []byte) {
		if !empty(w) {
			words = append(words, string(w))
		}
	})
	return words
}

// eachWord calls f with each word of s in lower case and without its ending, also with
// those that carry no meaning. f must not keep the word: all share buf, which eachWord
// returns for the next call. A question reads each word of a workspace, so there is no
// allocation for each.
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

// lowerFollows reports whether the second letter of s is a small one.
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

// empty reports whether a word carries no meaning in a question about code.
func empty(w []byte) bool {
	switch string(w) {
	case "a", "an", "and", "are", "as", "at", "be", "by", "do", "does", "for", "from", "how", "i", "if", "in", "is", "it", "its", "no", "not", "of",
		"on", "or", "that", "th", "the", "ther", "this", "thes", "to", "us", "use", "used", "was", "wher", "what", "when", "which", "who", "why", "will",
		"with", "return", "it'", "can", "has", "hav", "function", "method", "class", "cod", "file", "wheth", "given", "specifi", "value", "new", "get",
		"set":
		return true
	}
	return false
}

// scores is how well texts answer a question.
type scores struct {
	files   []float64
	symbols [][]float64
}

// weights of the fields of a symbol.
const (
	inName      = 4.0
	inParent    = 1.5
	inPath      = 1.0
	inDoc       = 1.2
	inSignature = 0.8
)

// textScores weighs each word by how rare it is among the symbols.
func textScores(s index.Snapshot, words []string) scores {
	out := scores{files: make([]float64, len(s.Entries)), symbols: make([][]float64, len(s.Entries))}
	if len(words) == 0 {
		return out
	}
	at := make(map[string]int, len(words))
	for i, w := range words {
		at[w] = i
	}
	type hit struct {
		file, symbol int
		weight       []float64
	}
	var hits []hit
	frequency := make([]int, len(words))
	total := 0
	var buf []byte
	mark := func(weight []float64, text string, w float64) {
		buf = eachWord(text, buf, func(word []byte) {
			if i, ok := at[string(word)]; ok {
				weight[i] = max(weight[i], w)
			}
		})
	}
	inFile, weight := make([]float64, len(words)), make([]float64, len(words))
	for i, e := range s.Entries {
		out.symbols[i] = make([]float64, len(e.Symbols))
		clear(inFile)
		mark(inFile, e.Path, inPath)
		for k := range e.Symbols {
			y := &e.Symbols[k]
			if y.Local {
				continue
			}
			total++
			copy(weight, inFile)
			mark(weight, y.Signature, inSignature)
			mark(weight, y.Doc, inDoc)
			mark(weight, y.Parent, inParent)
			mark(weight, y.Name, inName)
			some := false
			for j, w := range weight {
				if w > 0 {
					frequency[j]++
					some = true
				}
			}
			if some {
				hits = append(hits, hit{i, k, slices.Clone(weight)})
			}
		}
	}
	best := 0.0
	for _, h := range hits {
		score, found := 0.0, 0
		for j, w := range h.weight {
			if w > 0 {
				score += w * math.Log(1+float64(total)/float64(frequency[j]))
				found++
			}
		}
		// Several words together say more than each alone; long names dilute a match.
		score *= float64(found) / float64(len(words))
		score /= 1 + 0.08*float64(len(Words(s.Entries[h.file].Symbols[h.symbol].Name)))
		out.symbols[h.file][h.symbol] = score
		best = max(best, score)
	}
	if best == 0 {
		return out
	}
	for i := range out.symbols {
		for k := range out.symbols[i] {
			out.symbols[i][k] /= best
			out.files[i] = max(out.files[i], out.symbols[i][k])
		}
	}
	return out
}
