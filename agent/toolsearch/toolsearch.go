// Package toolsearch finds the tools that match a few words, among thousands, without a network or
// a model.
//
// It ranks by BM25 over names, titles, descriptions and arguments. Words with a similar spelling
// and everyday synonyms count in part. The package is pure: it must not depend on servers, models
// or conversations.
package toolsearch

import (
	"cmp"
	"math"
	"slices"
)

// A Tool contains the texts of a tool that the search uses.
type Tool struct {
	Server      string
	Name        string // without the server's prefix
	Title       string
	Description string
	Args        []string // names and descriptions of arguments
}

// An Index finds tools. It is immutable, so it is safe for concurrent use.
type Index struct {
	words map[string]int // the index of each word
	posts [][]post       // by word: the tools that contain it
	grams map[string][]int
	size  []int     // number of trigrams of each word
	norms []float64 // by tool: BM25's length normalization
}

// A post is the weight of a word in a tool. The weight depends on the field.
type post struct {
	tool   int
	weight float64
}

// The weights of the fields.
const (
	inName        = 3.0
	inTitle       = 2.5
	inServer      = 1.6
	inDescription = 1.0
	inArgs        = 0.4
)

// New returns an index of tools. Search returns positions in this list.
func New(tools []Tool) *Index {
	x := &Index{words: make(map[string]int), grams: make(map[string][]int), norms: make([]float64, len(tools))}
	length, mean := make([]float64, len(tools)), 0.0
	for i, t := range tools {
		weights := make(map[string]float64)
		add := func(text string, weight float64) {
			for _, w := range Words(text) {
				// Each repetition of a word counts less.
				weights[w] += weight / (1 + weights[w]/(2*weight))
				length[i] += weight
			}
		}
		add(t.Name, inName)
		add(t.Title, inTitle)
		add(t.Server, inServer)
		add(t.Description[:min(len(t.Description), 2000)], inDescription)
		for _, a := range t.Args[:min(len(t.Args), 40)] {
			add(a[:min(len(a), 300)], inArgs)
		}
		for w, weight := range weights {
			n, ok := x.words[w]
			if !ok {
				n = len(x.posts)
				x.words[w] = n
				x.posts = append(x.posts, nil)
				g := trigrams(w)
				x.size = append(x.size, len(g))
				for _, gram := range g {
					x.grams[gram] = append(x.grams[gram], n)
				}
			}
			x.posts[n] = append(x.posts[n], post{i, weight})
		}
		mean += length[i]
	}
	if len(tools) > 0 {
		mean /= float64(len(tools))
	}
	for i, n := range length {
		x.norms[i] = k1 * (1 - b + b*n/mean)
	}
	return x
}

// The parameters of BM25.
const (
	k1 = 1.4
	b  = 0.45
)

// synonym is the weight of a synonym; the word itself has 1.
const synonym = 0.5

// Search returns the positions of at most n tools that match the query, best first. Tools that
// match equally well keep the order of the list.
func (x *Index) Search(query string, n int) []int {
	// Slices are faster than maps here, because each of ten thousand tools may contain a common
	// word.
	scores, best := make([]float64, len(x.norms)), make([]float64, len(x.norms))
	var found []int // the tools with a score
	for _, word := range unique(append(Words(task(query)), hints(query)...)) {
		var here []int // the tools that have this word or a synonym
		for w, share := range x.expand(word) {
			posts := x.posts[w]
			idf := math.Log(1 + (float64(len(x.norms))-float64(len(posts))+0.5)/(float64(len(posts))+0.5))
			for _, p := range posts {
				tf := p.weight * (k1 + 1) / (p.weight + x.norms[p.tool])
				if best[p.tool] == 0 {
					here = append(here, p.tool)
				}
				best[p.tool] = max(best[p.tool], share*idf*tf)
			}
		}
		for _, tool := range here {
			if scores[tool] == 0 {
				found = append(found, tool)
			}
			scores[tool] += best[tool]
			best[tool] = 0
		}
	}
	return first(found, n, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
}

// first returns the first n elements of list in the given order, without sorting the rest.
func first(list []int, n int, order func(a, b int) int) []int {
	out := make([]int, 0, min(n, len(list))+1)
	for _, v := range list {
		if len(out) == n && (n == 0 || order(v, out[n-1]) > 0) {
			continue
		}
		at, _ := slices.BinarySearchFunc(out, v, order)
		out = slices.Insert(out, at, v)
		out = out[:min(n, len(out))]
	}
	return out
}

// expand returns the words of the index that match a word of the query, and how much each of them
// counts.
func (x *Index) expand(word string) map[int]float64 {
	out := make(map[int]float64)
	if n, ok := x.words[word]; ok {
		out[n] = 1
	}
	for _, s := range synonyms[word] {
		if n, ok := x.words[s]; ok {
			out[n] = max(out[n], synonym)
		}
	}
	if len(word) < 4 {
		return out
	}
	shared := make(map[int]int)
	g := trigrams(word)
	for _, gram := range g {
		for _, n := range x.grams[gram] {
			shared[n]++
		}
	}
	for n, count := range shared {
		alike := 2 * float64(count) / float64(len(g)+x.size[n])
		if alike >= 0.55 {
			out[n] = max(out[n], 0.75*alike)
		}
	}
	return out
}

func unique(words []string) []string {
	var out []string
	for _, w := range words {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
