package rank

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"goated/servers/llmem/index"
)

const (
	damping    = 0.85
	settled    = 1e-4 // the rounds end when less rank than this moves
	rounds     = 61   // then 2 × damping^rounds, the most rank that can move, is less than settled
	maxDefiner = 12   // names with more definitions are ignored
)

// A Ranker ranks the definitions of a workspace. It keeps its knowledge about each file between
// rankings, so that one changed file costs little. The zero value is empty.
type Ranker struct {
	files    []*file   // by path
	definers []int32   // number of files that define each name
	base     []float32 // the base weight of each name
	weights  []float32 // weight of a mention of each name for each file that defines it
	inflow   []float64 // after pageRank: the rank that flows to each file that defines a name
	own      []float32 // by name: the rank that flows from a file to itself; 0 while no file is processed
	fits     bool      // see HasMatch
}

// A file holds what the ranker knows about an entry.
type file struct {
	*index.Entry
	symbols []symbol // symbols outside of functions
	defs    []uint32 // their names, without duplicates
	edges   []edge   // to the names that it mentions and that files define
	own     []edge   // the edges to names that it defines itself
	total   float64  // total weight of its edges
	rank    float64  // in the last ranking; the next ranking starts there
	words   *words   // nil until the first question
}

// A symbol is one of the entry's symbols.
type symbol struct {
	at     int32 // index in the entry
	name   uint32
	weight float32 // by its kind and its file
}

// An edge leads from a file that mentions a name to all files that define it.
type edge struct {
	name   uint32
	weight float32 // for each of these files
}

// share returns the rank that flows from a file per unit of weight.
func (f *file) share() float64 {
	if f.total == 0 {
		return 0
	}
	return f.rank / f.total
}

// update compares the files with a snapshot. It computes new links for files that mention a name
// whose definitions changed.
func (r *Ranker) update(s index.Snapshot) {
	for n := len(r.base); n < len(s.Names); n++ {
		r.base = append(r.base, nameWeight(s.Names[n]))
	}
	more := len(s.Names) - len(r.definers)
	r.definers = append(r.definers, make([]int32, max(more, 0))...)
	r.weights = append(r.weights, make([]float32, max(more, 0))...)
	changed, any := make([]bool, len(r.definers)), false
	count := func(f *file, by int32) {
		for _, n := range f.defs {
			r.definers[n] += by
			changed[n], any = true, true
		}
	}
	files := make([]*file, 0, len(s.Entries))
	fresh := make(map[*file]bool)
	old := r.files
	for _, e := range s.Entries {
		for len(old) > 0 && old[0].Path < e.Path {
			count(old[0], -1)
			old = old[1:]
		}
		rank := 0.0
		if len(old) > 0 && old[0].Path == e.Path {
			if old[0].Entry == e {
				files, old = append(files, old[0]), old[1:]
				continue
			}
			rank = old[0].rank
			count(old[0], -1)
			old = old[1:]
		}
		f := newFile(e)
		f.rank = rank
		count(f, 1)
		fresh[f] = true
		files = append(files, f)
	}
	for _, f := range old {
		count(f, -1)
	}
	r.files = files
	if !any && len(fresh) == 0 {
		return
	}
	for n, c := range changed {
		if c {
			r.weights[n] = weigh(r.base[n], r.definers[n])
		}
	}
	var scratch []edge
	for _, f := range files {
		if fresh[f] || slices.ContainsFunc(f.Refs, func(ref index.Ref) bool { return changed[ref.Name] }) {
			scratch = r.link(f, scratch[:0])
		}
	}
}

// newFile returns the file for an entry.
func newFile(e *index.Entry) *file {
	f := &file{Entry: e}
	test := float32(1)
	if IsTest(e.Path) {
		test = 0.2
	}
	for i := range e.Symbols {
		if y := &e.Symbols[i]; !y.Local {
			f.symbols = append(f.symbols, symbol{int32(i), e.Defs[i], test * kindWeight(y.Kind)})
			f.defs = append(f.defs, e.Defs[i])
		}
	}
	slices.Sort(f.defs)
	f.symbols, f.defs = slices.Clip(f.symbols), slices.Clip(slices.Compact(f.defs))
	return f
}

// weigh returns the weight of a mention of a name for each file that defines it.
func weigh(base float32, definers int32) float32 {
	switch {
	case definers < 1 || definers > maxDefiner:
		return 0
	case definers > 5:
		base *= 0.1
	}
	return base / float32(definers)
}

// link computes the edges of a file. It uses scratch as a buffer.
func (r *Ranker) link(f *file, scratch []edge) []edge {
	f.total, f.own = 0, f.own[:0]
	defs := f.defs
	for _, ref := range f.Refs { // sorted by name, like defs
		w := r.weights[ref.Name]
		if w == 0 {
			continue
		}
		w *= float32(math.Sqrt(float64(ref.Count)))
		for len(defs) > 0 && defs[0] < ref.Name {
			defs = defs[1:]
		}
		others := r.definers[ref.Name]
		if self := len(defs) > 0 && defs[0] == ref.Name; self {
			if others--; others == 0 {
				continue
			}
			f.own = append(f.own, edge{ref.Name, w})
		}
		scratch = append(scratch, edge{ref.Name, w})
		f.total += float64(w) * float64(others)
	}
	if cap(f.edges) < len(scratch) {
		f.edges = make([]edge, 0, len(scratch))
	}
	f.edges = append(f.edges[:0], scratch...)
	return scratch
}

// pageRank ranks the files. It starts with the ranks of the last time, so after one change it settles
// immediately.
func (r *Ranker) pageRank(start []float64) {
	sum, before := 0.0, 0.0
	for i, f := range r.files {
		sum += start[i]
		before += f.rank
	}
	scale := 1 / max(sum, 1e-12)
	for i, f := range r.files {
		start[i] *= scale
		if before == 0 {
			f.rank = start[i]
		} else {
			f.rank /= before
		}
	}
	r.inflow = append(r.inflow[:0], make([]float64, len(r.definers))...)
	for range rounds {
		r.computeRanks()
		lost := 0.0
		for _, f := range r.files {
			if f.total == 0 {
				lost += f.rank
			}
		}
		moved := 0.0
		for i, f := range r.files {
			share, next := f.share(), lost*start[i]
			for _, n := range f.defs {
				next += r.inflow[n]
			}
			for _, e := range f.own {
				next -= share * float64(e.weight)
			}
			next = (1-damping)*start[i] + damping*max(next, 0)
			moved += math.Abs(next - f.rank)
			f.rank = next
		}
		if moved < settled {
			break
		}
	}
	r.computeRanks()
}

// computeRanks computes the rank that flows to each name.
func (r *Ranker) computeRanks() {
	clear(r.inflow)
	for _, f := range r.files {
		share := f.share()
		if share == 0 {
			continue
		}
		for _, e := range f.edges {
			r.inflow[e.name] += share * float64(e.weight)
		}
	}
}

// nameWeight prefers names that someone chose for a single purpose.
func nameWeight(name string) float32 {
	w := float32(1)
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
