package virtual

// Heights holds the heights of the entries of a long column in a Fenwick tree, so that Set and At
// take O(log n). Sums are float64, because float32 drifts over a million pixels. The zero value
// is an empty column.
type Heights struct {
	Each []float32
	tree []float64 // tree[i] is the sum of the entries that end at i
}

// Len returns the number of entries.
func (h *Heights) Len() int { return len(h.Each) }

// Truncate keeps only the first n entries.
func (h *Heights) Truncate(n int) {
	h.Each, h.tree = h.Each[:n], h.tree[:n]
}

// Add appends an entry.
func (h *Heights) Add(v float32) {
	h.Each = append(h.Each, v)
	i := len(h.Each) // the index, counted from 1
	sum := float64(v)
	for step := 1; step < i&-i; step <<= 1 {
		sum += h.tree[i-step-1]
	}
	h.tree = append(h.tree, sum)
}

// Set changes the height of entry i.
func (h *Heights) Set(i int, v float32) {
	d := float64(v) - float64(h.Each[i])
	if d == 0 {
		return
	}
	h.Each[i] = v
	for i++; i <= len(h.tree); i += i & -i {
		h.tree[i-1] += d
	}
}

// Before returns the sum of the first n heights.
func (h *Heights) Before(n int) float32 {
	sum := 0.0
	for ; n > 0; n -= n & -n {
		sum += h.tree[n-1]
	}
	return float32(sum)
}

// Total returns the height of the column.
func (h *Heights) Total() float32 { return h.Before(len(h.Each)) }

// At returns the entry at y. Above the column it returns the first entry, and below it the last
// one.
func (h *Heights) At(y float32) int {
	i, rest := 0, float64(y)
	step := 1
	for step*2 <= len(h.tree) {
		step *= 2
	}
	for ; step > 0; step /= 2 {
		if next := i + step; next <= len(h.tree) && h.tree[next-1] <= rest {
			i = next
			rest -= h.tree[next-1]
		}
	}
	return max(min(i, len(h.Each)-1), 0)
}
