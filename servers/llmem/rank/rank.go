// Package rank orders the definitions of a workspace by importance, like the repository map of
// aider: with PageRank over the identifiers that files mention and define.
//
// It owns the weights. It must not know files on a disk or the protocol.
package rank

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"

	"goated/servers/llmem/index"
	"goated/servers/llmem/outline"
)

// A Focus describes what the caller works on. The zero value means the whole workspace.
type Focus struct {
	Paths []string // files and folders
	Names []string // symbols
	Query string   // a question in words
	Most  int      // how many definitions the caller needs; 0 means 6,000
}

// A Definition is a symbol with its file and its share of the total importance.
type Definition struct {
	Entry  *index.Entry
	Symbol *outline.Symbol
	Score  float64
}

// maxDefinitions bounds the definitions of a ranking without [Focus.Most].
const maxDefinitions = 6000

// Rank returns the most important definitions, best first, and the total number of definitions.
func (r *Ranker) Rank(s index.Snapshot, f Focus) (best []Definition, total int) {
	r.update(s)
	most := cmp.Or(f.Most, maxDefinitions)
	words := Words(f.Query)
	relevance := r.textScores(words)
	r.fits = slices.ContainsFunc(relevance.files, func(score float64) bool { return score > 0 })
	start := make([]float64, len(r.files))
	for i, file := range r.files {
		start[i] = 1/float64(len(r.files)+1) + 4*relevance.files[i]
		for _, p := range f.Paths {
			if file.Path == p || p == "." || strings.HasPrefix(file.Path, strings.TrimSuffix(p, "/")+"/") {
				start[i] += 10
			}
		}
	}
	r.pageRank(start)
	r.own = append(r.own, make([]float32, len(r.inflow)-len(r.own))...)
	own := r.own
	var top queue
	for i, file := range r.files {
		total += len(file.symbols)
		if len(file.symbols) == 0 {
			continue
		}
		share := file.share()
		for _, e := range file.own {
			own[e.name] = e.weight
		}
		even := file.rank * 0.01 / float64(len(file.Symbols))
		for k, y := range file.symbols {
			score := even + r.inflow[y.name] - share*float64(own[y.name])
			if len(f.Names) > 0 && slices.Contains(f.Names, s.Names[y.name]) {
				score += 1
			}
			if len(words) > 0 {
				score *= 0.2
				if scores := relevance.symbols[i]; scores != nil {
					score += scores[k]
				}
			}
			score *= float64(y.weight)
			if len(top) < most || score > top[0].Score {
				top.offer(Definition{file.Entry, &file.Symbols[y.at], score}, most)
			}
		}
		for _, e := range file.own {
			own[e.name] = 0
		}
	}
	slices.SortFunc(top, func(a, b Definition) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Entry.Path, b.Entry.Path), cmp.Compare(a.Symbol.StartLine, b.Symbol.StartLine))
	})
	return top, total
}

// HasMatch reports whether a definition contains a word of the last question.
func (r *Ranker) HasMatch() bool { return r.fits }

// A queue keeps the best definitions. Its first element is the worst of them.
type queue []Definition

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].Score < q[j].Score }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(d any)        { *q = append(*q, d.(Definition)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

func (q *queue) offer(d Definition, most int) {
	switch {
	case len(*q) < most:
		heap.Push(q, d)
	case d.Score > (*q)[0].Score:
		(*q)[0] = d
		heap.Fix(q, 0)
	}
}

// kindWeight lowers the weight of symbols that seldom answer a question.
func kindWeight(kind string) float32 {
	switch kind {
	case outline.Property, outline.Variable, outline.Constant, outline.Macro:
		return 0.4
	case outline.Namespace:
		return 0.1
	}
	return 1
}

// IsTest reports whether a path belongs to test code.
func IsTest(p string) bool {
	p = strings.ToLower(p)
	base := p[strings.LastIndexByte(p, '/')+1:]
	return strings.Contains(base, "_test.") || strings.Contains(base, ".test.") || strings.Contains(base, ".spec.") || strings.HasPrefix(base, "test_") ||
		strings.Contains("/"+p, "/test/") || strings.Contains("/"+p, "/tests/") || strings.Contains("/"+p, "/testdata/") || strings.Contains("/"+p, "/__tests__/")
}

// secondaryFolders lists folders with code that is generated, copied, or shows how to use the code.
var secondaryFolders = map[string]bool{
	"dist": true, "vendor": true, "third_party": true,
	"docs": true, "docs_src": true, "example": true, "examples": true, "benchmark": true, "benchmarks": true,
}

// IsSecondary reports whether a path is not the code itself, but generated from it, a copy of other
// code, or an example.
func IsSecondary(p string) bool {
	folders := strings.Split(strings.ToLower(p), "/")
	base := folders[len(folders)-1]
	return strings.Contains(base, ".min.") || slices.ContainsFunc(folders[:len(folders)-1], func(f string) bool { return secondaryFolders[f] })
}
