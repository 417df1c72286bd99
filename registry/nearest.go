package registry

import (
	"cmp"
	"slices"
	"strings"
)

// The limits of [Registry.Nearest].
const (
	maxNearest      = 3   // number of names that it returns
	maxComparedName = 128 // length of the longest name that it compares
	minPartName     = 4   // length of the shortest name that counts as a part of another name
)

// Nearest returns the qualified names of the tools whose names are most similar to an unknown name,
// most similar first. It helps with typing errors of the user or the model. It omits names that
// differ too much.
func (r *Registry) Nearest(name string) []string {
	if len(name) > maxComparedName {
		return nil
	}
	type near struct {
		name string
		away int
	}
	var found []near
	whole := strings.ToLower(name)
	own := whole
	if _, after, ok := strings.Cut(whole, "__"); ok {
		own = after
	}
	for _, e := range r.All() {
		tool := strings.ToLower(e.Tool.Name)
		if len(tool) > maxComparedName {
			continue
		}
		away := min(Distance(whole, strings.ToLower(e.Name)), Distance(own, tool))
		part := len(own) >= minPartName && strings.Contains(tool, own) || len(tool) >= minPartName && strings.Contains(own, tool)
		if part || away <= max(1, len(own)/3) {
			found = append(found, near{e.Name, away})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(a.away, b.away) })
	var names []string
	for _, n := range found[:min(len(found), maxNearest)] {
		names = append(names, n.name)
	}
	return names
}

// Distance returns the smallest number of bytes to change, insert or delete that turns a into b
// (Levenshtein distance).
func Distance(a, b string) int {
	row := make([]int, len(b)+1) // distances from a prefix of a to each prefix of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
