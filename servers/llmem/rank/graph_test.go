package rank

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"goated/servers/llmem/index"
	"goated/servers/llmem/outline"
	"goated/servers/llmem/workspace"
)

// A project creates entries like the index.
type project struct {
	names map[string]uint32
	list  []string
	files map[string]*index.Entry
}

func (p *project) id(name string) uint32 {
	if _, ok := p.names[name]; !ok {
		p.names[name] = uint32(len(p.list))
		p.list = append(p.list, name)
	}
	return p.names[name]
}

func (p *project) put(r *rand.Rand, path string) {
	e := &index.Entry{Entry: workspace.Entry{Path: path}}
	for range r.IntN(6) {
		y := outline.Symbol{Name: fmt.Sprint("symbolName", r.IntN(60)), Kind: []string{outline.Function, outline.Variable}[r.IntN(2)], StartLine: r.IntN(90), Local: r.IntN(6) == 0, Doc: fmt.Sprint("It reads part ", r.IntN(20), ".")}
		e.Symbols, e.Defs = append(e.Symbols, y), append(e.Defs, p.id(y.Name))
	}
	refs := make(map[uint32]uint32)
	for range r.IntN(12) {
		refs[p.id(fmt.Sprint("symbolName", r.IntN(80)))]++
	}
	for n, c := range refs {
		e.Refs = append(e.Refs, index.Ref{Name: n, Count: c})
	}
	slices.SortFunc(e.Refs, func(a, b index.Ref) int { return int(a.Name) - int(b.Name) })
	p.files[path] = e
}

func (p *project) snapshot() index.Snapshot {
	s := index.Snapshot{Names: p.list}
	for _, e := range p.files {
		s.Entries = append(s.Entries, e)
	}
	slices.SortFunc(s.Entries, func(a, b *index.Entry) int { return strings.Compare(a.Path, b.Path) })
	return s
}

// After any changes, a ranker that has seen them one by one gives the same ranking as a new one.
func TestAChangeRanksAsTheWhole(t *testing.T) {
	for _, seed := range []uint64{1234694397210272619 /* settles after more than 20 rounds */, rand.Uint64()} {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) { changeRanksAsTheWhole(t, seed) })
	}
}

func changeRanksAsTheWhole(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 7))
	p := &project{names: make(map[string]uint32), files: make(map[string]*index.Entry)}
	for i := range 40 {
		p.put(r, fmt.Sprintf("dir%d/file%d.go", i%5, i))
	}
	var old Ranker
	for round := range 60 {
		path := fmt.Sprintf("dir%d/file%d.go", r.IntN(5), r.IntN(45))
		switch r.IntN(4) {
		case 0:
			delete(p.files, path)
		default:
			p.put(r, path)
		}
		f := []Focus{{}, {Query: "read part 7"}, {Paths: []string{"dir2"}}, {Names: []string{"symbolName3"}}}[round%4]
		have, total := old.Rank(p.snapshot(), f)
		want, all := new(Ranker).Rank(p.snapshot(), f)
		if total != all || len(have) != len(want) {
			t.Fatalf("round %d: %d of %d, want %d of %d", round, len(have), total, len(want), all)
		}
		scores := make(map[string]float64)
		for _, d := range want {
			scores[fmt.Sprint(d.Entry.Path, d.Symbol)] += d.Score
		}
		for _, d := range have {
			scores[fmt.Sprint(d.Entry.Path, d.Symbol)] -= d.Score
		}
		for name, off := range scores {
			if math.Abs(off) > 2e-3 {
				t.Fatalf("round %d: the score of %s is off by %g of %g", round, name, off, want[0].Score)
			}
		}
	}
}

// A file that mentions a name gives rank to the files that define it, but not to itself.
func TestMentionsGiveRank(t *testing.T) {
	p := &project{names: make(map[string]uint32), files: make(map[string]*index.Entry)}
	add := func(path string, defines, mentions []string) {
		e := &index.Entry{Entry: workspace.Entry{Path: path}}
		for _, n := range defines {
			e.Symbols, e.Defs = append(e.Symbols, outline.Symbol{Name: n, Kind: outline.Function}), append(e.Defs, p.id(n))
		}
		for _, n := range mentions {
			e.Refs = append(e.Refs, index.Ref{Name: p.id(n), Count: 1})
		}
		slices.SortFunc(e.Refs, func(a, b index.Ref) int { return int(a.Name) - int(b.Name) })
		p.files[path] = e
	}
	add("a.go", []string{"usedByAll", "alone"}, []string{"alone"})
	add("b.go", []string{"selfish"}, []string{"usedByAll", "selfish"})
	add("c.go", nil, []string{"usedByAll"})
	best, total := new(Ranker).Rank(p.snapshot(), Focus{Most: 2})
	if total != 3 || len(best) != 2 || best[0].Symbol.Name != "usedByAll" {
		t.Errorf("%d definitions, the best are %+v", total, best)
	}
	all, _ := new(Ranker).Rank(p.snapshot(), Focus{})
	score := make(map[string]float64)
	for _, d := range all {
		score[d.Symbol.Name] = d.Score
	}
	if score["usedByAll"] < 5*score["alone"] || score["selfish"] > score["usedByAll"]/5 {
		t.Errorf("scores %v", score)
	}
}
