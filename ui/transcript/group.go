package transcript

import (
	"strings"

	"goated/ui/view"
)

// A group is the rows of a run of calls; see [view.CallRuns]. A closed group shows only its line,
// at the top of its first row. In an open group, its cards follow the line.
type group struct {
	t        *Transcript
	from, to int // the range of its rows
	open     bool
	line     *groupLine // nil while it is not visible
}

// groupInset is how far the cards of an open group are indented from its line. groupGap is the
// gap between the line and the first card.
const (
	groupInset = 24
	groupGap   = 12
)

// isHidden reports whether a row has no block because its group is closed.
func (r *entry) isHidden() bool { return r.group != nil && !r.group.open }

// isGroupHead reports whether row i begins with the line of its group.
func (r *entry) isGroupHead(i int) bool { return r.group != nil && r.group.from == i }

// lastItem returns the last item that row i represents. For a closed group, that is the last call.
func (r *entry) lastItem(i int) int {
	if r.isHidden() {
		return r.group.to - 1
	}
	return i
}

// inset returns where the block of row i begins within the row: indented from a group's line, and
// below the line.
func (r *entry) inset(i int) (right, down float32) {
	if r.group == nil || !r.group.open {
		return 0, 0
	}
	if r.isGroupHead(i) {
		down = headHeight + groupGap
	}
	return groupInset, down
}

// isOpenedByUser reports whether the user has opened the block or the group of a row. The group of such
// a row does not close by itself.
func (r *entry) isOpenedByUser() bool {
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

// openGroup opens the group that hides a row.
func (r *entry) openGroup() {
	if r.isHidden() {
		r.group.toggle()
	}
}

// estimatedRowHeight returns the estimated height of a row, with the gap below it. The height of a covered
// row is exact.
func estimatedRowHeight(v *viewport, i int, item view.Item) float32 {
	switch r := &v.Rows[i]; {
	case !r.isHidden():
		_, down := r.inset(i)
		return v.estimate(item) + down
	case r.isGroupHead(i):
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

// shownLine returns the line of the group and creates it if necessary.
func (g *group) shownLine() *groupLine {
	if g.line == nil {
		g.line = newGroupLine(g)
		g.t.tint(g.from)
	}
	return g.line
}

// copy copies the calls as Markdown. The results may be long, so it writes the text outside the
// UI goroutine.
func (g *group) copy() {
	items := withServerNames(g.t, g.t.View.Items[g.from:g.to])
	var parts []string
	g.t.run(func() {
		for _, item := range items {
			parts = append(parts, sourceOf(item))
		}
	}, func() { g.t.copy(strings.Join(parts, "\n\n")) })
}
