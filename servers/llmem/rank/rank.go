// Package rank orders the definitions of a workspace by importance, as the repository
// map of aider does: PageRank over the identifiers that files mention and define.
//
// It owns the weights. It must not know of files on a disk or of the protocol.
package rank

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
	"strings"
	"unicode"

	"goated/servers/llmem/index"
	"goated/servers/llmem/outline"
)

// A Focus says what the caller works on. The zero value is the whole workspace.
type Focus struct {
	Paths []string // files and folders
	Names []string // symbols
	Query string   // a question in words
}

// A Definition is a symbol with its file and its share of the importance.
type Definition struct {
	Entry  *index.Entry
	Symbol *outline.Symbol
	Score  float64
}

const (
	damping    = 0.85
	rounds     = 20
	settled    = 1e-4 // rounds end when less rank than this moves
	maxDefiner = 12   // names with more definitions say nothing
)

// most is how many definitions a ranking has; no budget shows more.
const most = 6000

// Rank returns the most important definitions, the best first, and the number of all.
func Rank(s index.Snapshot, f Focus) (best []Definition, total int) {
	g := build(s)
	words := Words(f.Query)
	start := make([]float64, len(s.Entries))
	for i, e := range s.Entries {
		start[i] = 1 / float64(len(s.Entries)+1)
		for _, p := range f.Paths {
			if e.Path == p || p == "." || strings.HasPrefix(e.Path, strings.TrimSuffix(p, "/")+"/") {
				start[i] += 10
			}
		}
	}
	relevance := textScores(s, words)
	for i := range s.Entries {
		start[i] += 4 * relevance.files[i]
	}
	pr := g.pageRank(start)

	var top queue
	for i, e := range s.Entries {
		inTest := IsTest(e.Path)
		for k := range e.Symbols {
			y := &e.Symbols[k]
			if y.Local {
				continue
			}
			total++
			score := pr[i]*0.01/float64(len(e.Symbols)) + g.received[g.slots[i][k]]
			if slices.Contains(f.Names, y.Name) {
				score += 1
			}
			if len(words) > 0 {
				score = score*0.2 + relevance.symbols[i][k]
			}
			score *= kindWeight(y.Kind)
			if inTest {
				score *= 0.2
			}
			top.offer(Definition{e, y, score})
		}
	}
	slices.SortFunc(top, func(a, b Definition) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Entry.Path, b.Entry.Path), cmp.Compare(a.Symbol.StartLine, b.Symbol.StartLine))
	})
	return top, total
}

// A queue keeps the best definitions; its first is the worst of them.
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

func (q *queue) offer(d Definition) {
	switch {
	case len(*q) < most:
		heap.Push(q, d)
	case d.Score > (*q)[0].Score:
		(*q)[0] = d
		heap.Fix(q, 0)
	}
}

// kindWeight lowers what seldom answers a question.
func kindWeight(kind string) float64 {
	switch kind {
	case outline.Property, outline.Variable, outline.Constant, outline.Macro:
		return 0.4
	case outline.Namespace:
		return 0.1
	}
	return 1
}

// IsTest reports whether a path is that of a test.
func IsTest(p string) bool {
	p = strings.ToLower(p)
	base := p[strings.LastIndexByte(p, '/')+1:]
	return strings.Contains(base, "_test.") || strings.Contains(base, ".test.") || strings.Contains(base, ".spec.") || strings.HasPrefix(base, "test_") ||
		strings.Contains("/"+p, "/test/") || strings.Contains("/"+p, "/tests/") || strings.Contains("/"+p, "/testdata/") || strings.Contains("/"+p, "/__tests__/")
}

// An edge leads from a file that mentions a name to a definition of it.
type edge struct {
	slot   int32
	weight float32
}

// A slot is one name in one file that defines it.
type graph struct {
	slots    [][]int32 // of the symbols of each file
	file     []int32   // of each slot
	edges    []edge
	from     []int32   // where the edges of each file begin, and at the end where they end
	total    []float64 // the weight of the edges of each file
	received []float64 // after pageRank: the rank that flows to each slot
}

// build links each file to the files that define what it mentions.
func build(s index.Snapshot) *graph {
	g := &graph{slots: make([][]int32, len(s.Entries)), from: make([]int32, 0, len(s.Entries)+1), total: make([]float64, len(s.Entries))}
	definers := make([][]int32, len(s.Names)) // slots
	for i, e := range s.Entries {
		g.slots[i] = make([]int32, len(e.Symbols))
		for k := range e.Symbols {
			if e.Symbols[k].Local {
				continue
			}
			d := definers[e.Defs[k]]
			if n := len(d); n > 0 && g.file[d[n-1]] == int32(i) {
				g.slots[i][k] = d[n-1]
				continue
			}
			slot := int32(len(g.file))
			g.file = append(g.file, int32(i))
			g.slots[i][k] = slot
			definers[e.Defs[k]] = append(d, slot)
		}
	}
	for i, e := range s.Entries {
		g.from = append(g.from, int32(len(g.edges)))
		for _, r := range e.Refs {
			d := definers[r.Name]
			if len(d) == 0 || len(d) > maxDefiner {
				continue
			}
			w := nameWeight(s.Names[r.Name]) * math.Sqrt(float64(r.Count)) / float64(len(d))
			if len(d) > 5 {
				w *= 0.1
			}
			for _, slot := range d {
				if int(g.file[slot]) == i {
					continue
				}
				g.edges = append(g.edges, edge{slot, float32(w)})
				g.total[i] += w
			}
		}
	}
	g.from = append(g.from, int32(len(g.edges)))
	return g
}

// nameWeight prefers names that someone chose for one purpose.
func nameWeight(name string) float64 {
	w := 1.0
	if len(name) >= 8 && (strings.Contains(name, "_") || strings.IndexFunc(name[1:], unicode.IsUpper) >= 0) {
		w = 10
	}
	if strings.HasPrefix(name, "_") {
		w *= 0.1
	}
	if len(name) < 3 {
		w *= 0.1
	}
	return w
}

func (g *graph) pageRank(start []float64) []float64 {
	n := len(start)
	sum := 0.0
	for _, v := range start {
		sum += v
	}
	pr, next := make([]float64, n), make([]float64, n)
	for i := range pr {
		start[i] /= max(sum, 1e-12)
		pr[i] = start[i]
	}
	for range rounds {
		lost := 0.0
		clear(next)
		for i := range start {
			if g.total[i] == 0 {
				lost += pr[i]
				continue
			}
			share := pr[i] / g.total[i]
			for _, e := range g.edges[g.from[i]:g.from[i+1]] {
				next[g.file[e.slot]] += share * float64(e.weight)
			}
		}
		moved := 0.0
		for i := range next {
			next[i] = (1-damping)*start[i] + damping*(next[i]+lost*start[i])
			moved += math.Abs(next[i] - pr[i])
		}
		pr, next = next, pr
		if moved < settled {
			break
		}
	}
	g.received = make([]float64, len(g.file)+1) // local symbols have slot 0, and no one asks for it
	for i := range start {
		if g.total[i] == 0 {
			continue
		}
		share := pr[i] / g.total[i]
		for _, e := range g.edges[g.from[i]:g.from[i+1]] {
			g.received[e.slot] += share * float64(e.weight)
		}
	}
	return pr
}
