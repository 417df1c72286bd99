package chat

import (
	"slices"

	"goated/internal/store"
)

// ShownBranches remembers which branches of a conversation were shown, so that the user can return to
// where they were. The zero value is empty and ready to use.
type ShownBranches struct {
	last  map[string]visit // by turn
	count int
}

// A visit is one branch that was shown.
type visit struct {
	leaf   string // last turn of the branch
	number int
}

// Record records the branch that has been shown until now.
func (v *ShownBranches) Record(branch []store.Turn) {
	if v.last == nil {
		v.last = map[string]visit{}
	}
	v.count++
	for _, turn := range branch {
		v.last[turn.ID] = visit{branch[len(branch)-1].ID, v.count}
	}
}

// Leaf returns the last turn of the branch on which a turn was last shown, or the turn itself if it
// was never shown.
func (v *ShownBranches) Leaf(turn string) string {
	if at, ok := v.last[turn]; ok {
		return at.leaf
	}
	return turn
}

// latest returns the turn that was shown most recently, or the last one if none was shown.
func (v *ShownBranches) latest(turns []string) string {
	best := turns[len(turns)-1]
	for _, id := range turns {
		if v.last[id].number > v.last[best].number {
			best = id
		}
	}
	return best
}

// MessageVersions returns the versions of a turn's message, each as the turn to show for it, and the index
// of the turn's own version.
func (v *ShownBranches) MessageVersions(t store.Turn) (turns []string, at int) {
	groups, firsts := groupByMessage(t)
	for _, i := range firsts {
		turns = append(turns, v.latest(groups[i]))
	}
	return turns, slices.Index(firsts, t.Duplicates[t.Index])
}

// AnswerVersions returns the turns that answer the same message, and the index of t among them.
func AnswerVersions(t store.Turn) (turns []string, at int) {
	groups, _ := groupByMessage(t)
	same := groups[t.Duplicates[t.Index]]
	return same, slices.Index(same, t.ID)
}

// groupByMessage groups the siblings of a turn by the user's message. firsts contains the keys in order.
func groupByMessage(t store.Turn) (groups map[int][]string, firsts []int) {
	groups = map[int][]string{}
	for i, id := range t.Siblings {
		if t.Duplicates[i] == i {
			firsts = append(firsts, i)
		}
		groups[t.Duplicates[i]] = append(groups[t.Duplicates[i]], id)
	}
	return groups, firsts
}
