package transcript

import (
	"strings"

	"goated/ui/view"
)

// A group is the rows of a run of calls, see [view.CallRuns]. Closed, it shows its line alone, at the
// top of its first row. Open, its cards follow.
type group struct {
	t        *Transcript
	from, to int // its rows
	open     bool
	line     *groupLine // nil while it is out of sight
}

// groupInset is how far the cards of an open group begin right of its line. groupGap is between
// the line and the first card.
const (
	groupInset = 24
	groupGap   = 12
)

// covered reports whether a row has no block, because its group is closed.
func (r *entry) covered() bool { return r.group != nil && !r.group.open }

// leads reports whether the row with an index begins with the line of its group.
func (r *entry) leads(i int) bool { return r.group != nil && r.group.from == i }

// until returns the last item that the row with an index stands for: the last call of a closed group.
func (r *entry) until(i int) int {
	if r.covered() {
		return r.group.to - 1
	}
	return i
}

// inset returns where the block of the row with an index begins within the row: right of a group's line,
// and below it.
func (r *entry) inset(i int) (right, down float32) {
	if r.group == nil || !r.group.open {
		return 0, 0
	}
	if r.leads(i) {
		down = headHeight + groupGap
	}
	return groupInset, down
}

// reading reports whether the user has opened a row, or the group that it is in. It does not go away by itself.
func (r *entry) reading() bool {
	switch b := r.Block.(type) {
	case *Card:
		if b.Open {
			return true
		}
	case *thought:
		if b.open {
			return true
		}
	}
	return r.group != nil && r.group.open
}

// uncover opens the group that covers a row.
func (r *entry) uncover() {
	if r.covered() {
		r.group.toggle()
	}
}

// probable returns the probable height of a row with the gap below it. That of a covered row is exact.
func probable(v *viewport, i int, item view.Item) float32 {
	switch r := &v.Rows[i]; {
	case !r.covered():
		_, down := r.inset(i)
		return v.estimate(item) + down
	case r.leads(i):
		return headHeight + rowGap
	}
	return 0
}

// toggle opens or closes a group. Its line stays in place.
func (g *group) toggle() {
	v := &g.t.View
	g.open = !g.open
	for i := g.from; i < g.to; i++ {
		regrouped(v, i)
	}
	if g.line != nil {
		g.line.show()
	}
	v.Stick = false
	v.refit()
}

// shownLine returns the line and creates it if necessary.
func (g *group) shownLine() *groupLine {
	if g.line == nil {
		g.line = newGroupLine(g)
		g.t.tint(g.from)
	}
	return g.line
}

// copy copies the calls as Markdown. Their results may be long, so it is written outside the UI goroutine.
func (g *group) copy() {
	items := named(g.t, g.t.View.Items[g.from:g.to])
	var parts []string
	g.t.run(func() {
		for _, item := range items {
			parts = append(parts, sourceOf(item))
		}
	}, func() { g.t.copy(strings.Join(parts, "\n\n")) })
}
