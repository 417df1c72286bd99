package atspi_test

import (
	"testing"
	"time"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/atspi/atspitest"
)

// A walk takes at most 300 ms, or its result reports what is missing. The cases are a list of 10,000
// rows with and without a cache, and endless trees. One walk of five has to be in time, because other
// programs also use the machine.
func TestWalksEndIn300Milliseconds(t *testing.T) {
	const goal, rest = atspi.DefaultBudget, 50 * time.Millisecond // rest: time to build the tree
	n := 10_000
	if testing.Short() {
		n = 2000 // the race detector slows down both sides
	}
	endless := func(name string, children func(id int) []int) *atspitest.App {
		return &atspitest.App{Item: func(id int) atspitest.Item {
			return atspitest.Item{Role: frame, Name: name, States: atspitest.Shown, Toolkit: "test", Children: children(id)}
		}}
	}
	b := connect(t, atspi.Options{})
	for name, app := range map[string]*atspitest.App{
		"many rows in a cache": rows("many rows in a cache", n, true),
		"many rows":            rows("many rows", n, false),
		"a deep tree":          endless("a deep tree", func(id int) []int { return []int{id + 1} }),
		"a wide tree":          endless("a wide tree", func(id int) []int { return []int{3*id + 1, 3*id + 2, 3*id + 3} }),
	} {
		a := serve(t, b, app)
		best, whole := time.Hour, false
		for range 5 {
			if best <= goal+rest && (whole || name == "many rows in a cache") {
				break
			}
			begin := time.Now()
			tree, err := b.Snapshot(t.Context(), a)
			took := time.Since(begin)
			if err == nil && len(tree.Nodes) < n && len(tree.Partial) == 0 {
				t.Errorf("%s: %d elements, and nothing is missing", name, len(tree.Nodes))
			}
			best, whole = min(best, took), whole || err == nil // an error means that it did not answer in time
		}
		if best > goal+rest {
			t.Errorf("%s took %v, more than %v", name, best, goal)
		}
		if !whole && name != "many rows in a cache" {
			t.Errorf("%s shows nothing", name)
		}
	}
	if atspi.DefaultBudget != 300*time.Millisecond {
		t.Errorf("the goal is 300 ms, the budget %v", atspi.DefaultBudget)
	}
}
