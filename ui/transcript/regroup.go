package transcript

import (
	"slices"

	"goated/ui/kit"
	"goated/ui/view"
)

// changes returns the first item that differs between two lists, and the first item from which on
// groups may differ. The second is -1 if no group differs.
func changes(old, list []view.Item) (changed, calls int) {
	groups := func(item view.Item) bool {
		switch item.(type) {
		case view.Card, view.Question:
			return true
		}
		return false
	}
	same := min(len(old), len(list))
	for changed < same && old[changed] == list[changed] {
		changed++
	}
	for i := changed; i < max(len(old), len(list)); i++ {
		if i < same && old[i] == list[i] {
			continue
		}
		if i < len(old) && groups(old[i]) || i < len(list) && groups(list[i]) {
			return changed, min(i, len(list))
		}
	}
	return changed, -1
}

// regroup updates the groups after the item of a row changed. It reports whether a row changed
// its group.
func regroup(v *viewport, changed int) (moved bool) {
	from := view.CallsBegin(v.Items, changed)
	runs := view.CallRuns(v.Items, from)
	for i := from; i < len(v.Rows); {
		if len(runs) == 0 || i < runs[0].From {
			moved = join(v, i, nil) || moved
			i++
			continue
		}
		g, run := v.Rows[i].group, runs[0]
		if g == nil || g.from != i {
			g = &group{t: v.t, from: i}
		}
		g.to = run.To
		if !g.open && slices.ContainsFunc(v.Rows[run.From:run.To], func(r entry) bool { return r.isOpenedByUser() }) {
			g.open = true
			for k := range v.Rows[run.From:run.To] {
				regrouped(v, run.From+k)
			}
		}
		for ; i < run.To; i++ {
			moved = join(v, i, g) || moved
		}
		if g.line != nil {
			g.line.show()
		}
		runs = runs[1:]
	}
	return moved
}

// join puts a row into a group, or into none if g is nil. It reports whether the group of the row
// changed.
func join(v *viewport, i int, g *group) bool {
	if v.Rows[i].group == g {
		return false
	}
	v.Rows[i].group = g
	regrouped(v, i)
	return true
}

// regrouped updates a row after its group changed.
func regrouped(v *viewport, i int) {
	if v.Rows[i].isHidden() {
		v.removeBlock(i)
		v.t.Keyboard.moveToGroupLine(i, v.Rows[i].group.from)
	}
	v.Rows[i].measured, v.Rows[i].placed = false, false
	v.Heights.Set(i, estimatedRowHeight(v, i, v.Items[i]))
}

// A rowFocus is the focused control of a row. The row is -1 if the focus is elsewhere.
type rowFocus struct {
	row   int
	point kit.FocusPoint
}

// focusFrom returns the focused control in the rows that a change from an item on can cover.
func focusFrom(v *viewport, from int) rowFocus {
	c := kit.CanvasOf(v.List)
	if c == nil || c.Focused() == nil {
		return rowFocus{row: -1}
	}
	for i := max(v.Made[0], view.CallsBegin(v.Items, min(from, len(v.Items)))); i < min(v.Made[1], len(v.Rows)); i++ {
		if b, ok := v.Rows[i].Block.(*Card); ok {
			if point, ok := kit.FocusPointOn(c, b.root); ok {
				return rowFocus{i, point}
			}
		}
	}
	return rowFocus{row: -1}
}

// follow focuses the line of the group that has covered the focused card.
func (f rowFocus) follow(v *viewport) {
	if f.row < 0 || f.row >= len(v.Rows) || !v.Rows[f.row].isHidden() {
		return
	}
	line := v.Rows[f.row].group.shownLine()
	f.point.Restore(kit.CanvasOf(v.List), line.root, line.spot)
}
