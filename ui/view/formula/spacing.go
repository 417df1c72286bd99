package formula

import (
	"slices"
	"strings"
)

// Classes returns the classes of the nodes in context. For example, a sign at the beginning of a
// row is not a binary operator.
func (r Row) Classes() []Class {
	out := make([]Class, len(r))
	last := -1 // the last node that is not a blank
	for i := range r {
		out[i] = r[i].Class
		if out[i] == Blank {
			continue
		}
		if out[i] == Binary && (last < 0 || slices.Contains([]Class{Binary, Operator, Relation, Opening, Punctuation}, out[last])) {
			out[i] = Ordinary
		}
		if last >= 0 && out[last] == Binary && slices.Contains([]Class{Relation, Closing, Punctuation}, out[i]) {
			out[last] = Ordinary
		}
		last = i
	}
	if last >= 0 && out[last] == Binary {
		out[last] = Ordinary
	}
	return out
}

// Spaced reports whether a space belongs before node i.
func (r Row) Spaced(classes []Class, i int) bool {
	if i == 0 {
		return false
	}
	a, b := classes[i-1], classes[i]
	opens := b == Opening || r[i].Kind == Fence || r[i].Kind == Grid && r[i].Left != ""
	switch {
	case a == Blank || b == Blank:
		return false
	case a == Relation || b == Relation:
		return a != b
	case a == Binary || b == Binary, a == Punctuation:
		return true
	case a == Operator:
		return !opens && b != Closing && b != Punctuation
	case b == Operator:
		return a == Ordinary || a == Closing
	}
	return false
}

// neighbours returns the nodes before and after node i that are multiplied with it. Either is nil
// if there is none.
func neighbours(row Row, classes []Class, i int) (before, after *Node) {
	for k := i - 1; k >= 0 && before == nil; k-- {
		if classes[k] != Blank {
			before = row[k]
			joined := classes[k] == Ordinary || classes[k] == Closing || classes[k] == Operator && !row[k].large()
			if signs := "−+±∓¬."; !joined || row[k].Kind == Text && strings.Contains(signs, row[k].Text) {
				if row[k].Text != "÷" && row[k].Text != "mod" {
					before = nil
				}
				break
			}
		}
	}
	for k := i + 1; k < len(row) && after == nil; k++ {
		if classes[k] != Blank {
			after = row[k]
			joined := classes[k] == Ordinary || classes[k] == Opening || classes[k] == Operator || after.Text == "!"
			if !joined || row[k].Kind == Text && strings.Contains(".…", row[k].Text) {
				after = nil
				break
			}
		}
	}
	return before, after
}
