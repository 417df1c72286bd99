package rank

import (
	"cmp"
	"hash/fnv"
	"math"
	"runtime"
	"slices"
	"sync"
)

// scores holds how well texts answer a question.
type scores struct {
	files   []float64
	symbols [][]float64 // nil for a file without a match
}

// The fields of a symbol that are searched, and their weights.
const (
	inName = iota
	inParent
	inDoc
	inPath
	inSignature
)

var fieldWeights = [...]float32{inName: 4, inParent: 1.5, inDoc: 1.2, inPath: 1, inSignature: 0.8}

// words holds the words of a file, so that a question need not read all texts again.
type words struct {
	path    []uint32  // hashes of the words of the path
	posts   []posting // sorted by word
	lengths []uint8   // the number of words in each symbol's name
}

// A posting records that a symbol contains a word.
type posting struct {
	word  uint32 // a hash
	place uint32 // the symbol, and in the lowest bits the best field that contains the word
}

// fieldBits is the number of bits of a place that hold the field.
const fieldBits = 3

func (p posting) symbol() int { return int(p.place >> fieldBits) }
func (p posting) field() int  { return int(p.place & (1<<fieldBits - 1)) }

// wordHash returns a number for a word. A collision does no harm: one answer in millions is
// slightly wrong.
func wordHash(w []byte) uint32 {
	h := fnv.New32a()
	_, _ = h.Write(w) // writing to a hash never fails
	return h.Sum32()
}

// readWords splits the texts of a file into words.
func readWords(f *file) *words {
	w := &words{lengths: make([]uint8, len(f.symbols))}
	var buf []byte
	buf = eachWord(f.Path, buf, func(word []byte) { w.path = append(w.path, wordHash(word)) })
	for k, s := range f.symbols {
		y := &f.Symbols[s.at]
		for field, text := range [...]string{inName: y.Name, inParent: y.Parent, inDoc: y.Doc, inSignature: y.Signature} {
			buf = eachWord(text, buf, func(word []byte) {
				if field == inName && !isStopWord(word) && w.lengths[k] < math.MaxUint8 {
					w.lengths[k]++
				}
				w.posts = append(w.posts, posting{wordHash(word), uint32(k)<<fieldBits | uint32(field)})
			})
		}
	}
	slices.SortFunc(w.posts, func(a, b posting) int {
		return cmp.Or(cmp.Compare(a.word, b.word), cmp.Compare(a.place, b.place))
	})
	// A symbol's first post has its best field.
	w.posts = slices.Clone(slices.CompactFunc(w.posts, func(a, b posting) bool { return a.word == b.word && a.symbol() == b.symbol() }))
	return w
}

// readAll reads the words of the files that are not read yet.
func (r *Ranker) readAll() {
	next := make(chan *file)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for f := range next {
				f.words = readWords(f)
			}
		})
	}
	for _, f := range r.files {
		if f.words == nil {
			next <- f
		}
	}
	close(next)
	wg.Wait()
}

// A hit is a symbol that contains words of the question.
type hit struct {
	file, symbol int32
	at           int // index of its weights
}

// matches holds the symbols that contain words of a question.
type matches struct {
	hits      []hit
	weights   []float32 // for each hit, one weight per word
	frequency []int     // for each word, the number of symbols that contain it
	total     int       // the number of all symbols
}

// textScores weights each word by its rarity among the symbols.
func (r *Ranker) textScores(question []string) scores {
	out := scores{files: make([]float64, len(r.files)), symbols: make([][]float64, len(r.files))}
	if len(question) == 0 {
		return out
	}
	r.readAll()
	var asked []uint32
	for _, w := range question {
		if h := wordHash([]byte(w)); !slices.Contains(asked, h) {
			asked = append(asked, h)
		}
	}
	m := r.match(asked)
	rare := m.rarity()
	best := 0.0
	for _, h := range m.hits {
		score, found := 0.0, 0
		for j, w := range m.weights[h.at : h.at+len(asked)] {
			if w > 0 {
				score += float64(w) * rare[j]
				found++
			}
		}
		f := r.files[h.file]
		// Several words together are worth more than each alone. Long names weaken a match.
		score *= float64(found) / float64(len(question))
		score /= 1 + 0.08*float64(f.words.lengths[h.symbol])
		if out.symbols[h.file] == nil {
			out.symbols[h.file] = make([]float64, len(f.symbols))
		}
		out.symbols[h.file][h.symbol] = score
		best = max(best, score)
	}
	for i, list := range out.symbols {
		for k := range list {
			list[k] /= best
			out.files[i] = max(out.files[i], list[k])
		}
	}
	return out
}

// match finds the symbols that contain some of the words.
func (r *Ranker) match(asked []uint32) matches {
	n := len(asked)
	m := matches{frequency: make([]int, n)}
	var row []float32 // the weights of one file's symbols
	for i, f := range r.files {
		m.total += len(f.symbols)
		row = append(row[:0], make([]float32, n*len(f.symbols))...)
		if !f.words.weigh(row, asked) {
			continue
		}
		for k := range f.symbols {
			has := false
			for j, w := range row[k*n : (k+1)*n] {
				if w > 0 {
					m.frequency[j]++
					has = true
				}
			}
			if has {
				m.hits = append(m.hits, hit{int32(i), int32(k), len(m.weights)})
				m.weights = append(m.weights, row[k*n:(k+1)*n]...)
			}
		}
	}
	return m
}

// weigh sets the weights in row, which has one weight per symbol and word. It returns false if the
// file contains none of the words.
func (w *words) weigh(row []float32, asked []uint32) (some bool) {
	n := len(asked)
	for j, word := range asked {
		if slices.Contains(w.path, word) {
			some = true
			for at := j; at < len(row); at += n {
				row[at] = fieldWeights[inPath]
			}
		}
		at, _ := slices.BinarySearchFunc(w.posts, word, func(p posting, word uint32) int { return cmp.Compare(p.word, word) })
		for _, p := range w.posts[at:] {
			if p.word != word {
				break
			}
			some = true
			cell := &row[p.symbol()*n+j]
			*cell = max(*cell, fieldWeights[p.field()])
		}
	}
	return some
}

// rarity returns the rarity of each word among the symbols.
func (m matches) rarity() []float64 {
	rare := make([]float64, len(m.frequency))
	for j, n := range m.frequency {
		rare[j] = math.Log(1 + float64(m.total)/float64(max(n, 1)))
	}
	return rare
}
