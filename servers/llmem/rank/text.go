package rank

import (
	"math"
	"strings"
	"unicode"

	"goated/servers/llmem/index"
)

// Words returns the words of a question or a name in lower case, without endings and
// without words that carry no meaning. It splits camelCase and snake_case.
func Words(s string) []string {
	var words []string
	var b strings.Builder
	flush := func() {
		if w := stem(strings.ToLower(b.String())); len(w) > 1 && !empty(w) {
			words = append(words, w)
		}
		b.Reset()
	}
	last := ' '
	runes := []rune(s)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
		case unicode.IsUpper(r) && (unicode.IsLower(last) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsUpper(last)):
			flush()
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
		last = r
	}
	flush()
	return words
}

// stem removes common English endings.
func stem(w string) string {
	for _, end := range []string{"ations", "ation", "ings", "ing", "ers", "er", "ies", "ied", "es", "ed", "s", "e"} {
		if len(w)-len(end) >= 3 && strings.HasSuffix(w, end) {
			return w[:len(w)-len(end)]
		}
	}
	return w
}

func empty(w string) bool {
	const stop = " a an and are as at be by do does for from how i if in is it its no not of on or that th the ther this thes to us use used was wher what when which who why will with return it' can has hav function method class cod file wheth given specifi value new get set "
	return strings.Contains(stop, " "+w+" ")
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
	mark := func(weight []float64, text string, w float64) {
		for _, word := range Words(text) {
			if i, ok := at[word]; ok {
				weight[i] = max(weight[i], w)
			}
		}
	}
	for i, e := range s.Entries {
		out.symbols[i] = make([]float64, len(e.Symbols))
		inFile := make([]float64, len(words))
		mark(inFile, e.Path, inPath)
		for k := range e.Symbols {
			y := &e.Symbols[k]
			if y.Local {
				continue
			}
			total++
			weight := make([]float64, len(words))
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
				hits = append(hits, hit{i, k, weight})
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
