package graph

import (
	"cmp"
	"slices"
)

// sequence orders the nodes so that few edges point back (Eades, Lin, Smyth 1993), and marks the
// edges that do.
func (p *Picture) sequence() {
	n := len(p.Nodes)
	in, out := make([]int, n), make([]int, n)
	for _, e := range p.Edges {
		out[e.From]++
		in[e.To]++
	}
	left := make([]bool, n)
	for i := range left {
		left[i] = true
	}
	var head, tail []int
	take := func(i int) {
		left[i] = false
		for _, o := range p.Nodes[i].Uses {
			in[o]--
		}
		for _, o := range p.Nodes[i].UsedBy {
			out[o]--
		}
	}
	for len(head)+len(tail) < n {
		best, last := -1, false
		for i := range n {
			if !left[i] {
				continue
			}
			if out[i] == 0 && in[i] > 0 { // nothing below it remains
				best, last = i, true
				break
			}
			if in[i] == 0 { // nothing above it remains
				best = i
				break
			}
			if best < 0 || out[i]-in[i] > out[best]-in[best] {
				best = i
			}
		}
		take(best)
		if last {
			tail = append(tail, best)
		} else {
			head = append(head, best)
		}
	}
	slices.Reverse(tail)
	p.order = append(head, tail...)
	at := make([]int, n)
	for i, node := range p.order {
		at[node] = i
	}
	for i := range p.Edges {
		p.Edges[i].Back = at[p.Edges[i].From] > at[p.Edges[i].To]
	}
}

// reduce marks the edges that follow from other edges.
func (p *Picture) reduce() {
	n := len(p.Nodes)
	next := make([][]int, n)
	for _, e := range p.Edges {
		if !e.Back {
			next[e.From] = append(next[e.From], e.To)
		}
	}
	reach := make([][]bool, n) // reachable by at least one edge
	for _, i := range slices.Backward(p.order) {
		reach[i] = make([]bool, n)
		for _, o := range next[i] {
			reach[i][o] = true
			for k, ok := range reach[o] {
				reach[i][k] = reach[i][k] || ok
			}
		}
	}
	for i, e := range p.Edges {
		p.Edges[i].Implied = !e.Back && slices.ContainsFunc(next[e.From], func(o int) bool { return o != e.To && reach[o][e.To] })
	}
}

// Arrange places the nodes in rows with at most the given number of columns. Importers are above
// the nodes that they import, except for edges that close a cycle. Neighbours are near each
// other.
func (p *Picture) Arrange(columns int) (rows [][]int) {
	columns = max(columns, 1)
	row := make([]int, len(p.Nodes))
	least := make([]int, len(p.Nodes))
	forward := func(f func(Edge)) {
		for _, e := range p.Edges {
			if !e.Back {
				f(e)
			}
		}
	}
	above := make([][]int, len(p.Nodes)) // by edges that are drawn
	below := make([][]int, len(p.Nodes))
	forward(func(e Edge) {
		if !e.Implied {
			above[e.To] = append(above[e.To], e.From)
			below[e.From] = append(below[e.From], e.To)
		}
	})
	for _, i := range p.order {
		at := least[i]
		for at < len(rows) && len(rows[at]) >= columns {
			at++
		}
		for at >= len(rows) {
			rows = append(rows, nil)
		}
		rows[at] = append(rows[at], i)
		row[i] = at
		for _, o := range below[i] {
			least[o] = max(least[o], at+1)
		}
	}
	best, fewest := cloned(rows), p.crossings(rows)
	for sweep := range 8 {
		where := p.places(rows)
		for k := range rows {
			r, neighbours := rows[k], above
			if sweep%2 == 1 {
				r, neighbours = rows[len(rows)-1-k], below
			}
			wish := make(map[int]float64, len(r))
			for _, i := range r {
				wish[i] = where[i]
				if sum, n := 0.0, len(neighbours[i]); n > 0 {
					for _, o := range neighbours[i] {
						sum += where[o]
					}
					wish[i] = sum / float64(n)
				}
			}
			slices.SortStableFunc(r, func(a, b int) int { return cmp.Compare(wish[a], wish[b]) })
			for k, i := range r {
				where[i] = place(k, len(r))
			}
		}
		if n := p.crossings(rows); n < fewest {
			best, fewest = cloned(rows), n
		}
	}
	return best
}

func cloned(rows [][]int) [][]int {
	out := make([][]int, len(rows))
	for i, r := range rows {
		out[i] = slices.Clone(r)
	}
	return out
}

// place returns the centre of box k of n, as a fraction of the width.
func place(k, n int) float64 { return (float64(k) + 0.5) / float64(n) }

func (p *Picture) places(rows [][]int) []float64 {
	where := make([]float64, len(p.Nodes))
	for _, r := range rows {
		for k, i := range r {
			where[i] = place(k, len(r))
		}
	}
	return where
}

// crossings counts the pairs of drawn lines that cross, among lines that pass the same rows.
func (p *Picture) crossings(rows [][]int) (n int) {
	where := p.places(rows)
	row := make([]int, len(p.Nodes))
	for k, r := range rows {
		for _, i := range r {
			row[i] = k
		}
	}
	for i, e := range p.Edges {
		if e.Back || e.Implied {
			continue
		}
		for _, o := range p.Edges[:i] {
			if o.Back || o.Implied || e.From == o.From || e.To == o.To {
				continue
			}
			top, bottom := max(row[e.From], row[o.From]), min(row[e.To], row[o.To])
			if top >= bottom {
				continue
			}
			at := func(x Edge, r int) float64 {
				share := float64(r-row[x.From]) / float64(row[x.To]-row[x.From])
				return where[x.From] + share*(where[x.To]-where[x.From])
			}
			if (at(e, top)-at(o, top))*(at(e, bottom)-at(o, bottom)) < 0 {
				n++
			}
		}
	}
	return n
}
