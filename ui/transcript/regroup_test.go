package transcript

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/ui/view"
)

// Groups are computed from the first change on. They always equal the groups of the whole
// conversation, and a covered row has no block and no height.
func TestGroupsFollowTheItems(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		d := newDesk(t)
		chat, calls := view.Chat{}.Say("Go."), 0
		for step := range 60 {
			id := fmt.Sprint(1 + r.IntN(calls+1))
			shown := chat
			switch r.IntN(9) {
			case 0, 1, 2:
				calls++
				chat = chat.Apply(agent.ToolCalled{ID: fmt.Sprint(calls), Tool: "t"})
				shown = chat
			case 3:
				chat = chat.Apply(agent.ToolDecided{ID: id, Decision: agent.AllowOnce})
				shown = chat
			case 4:
				for i := range calls {
					chat = chat.Apply(agent.ToolDecided{ID: fmt.Sprint(i + 1), Decision: agent.AllowOnce}).Apply(agent.ToolReturned{ID: fmt.Sprint(i + 1)})
				}
				shown = chat
			case 5:
				chat = chat.Apply(agent.ToolReturned{ID: id, Error: []string{"", "no"}[r.IntN(2)]})
				shown = chat
			case 6:
				chat = chat.Apply(agent.ThoughtDelta{Text: "hm"})
				shown = chat
			case 7:
				shown = chat.Asking(step, id)
			case 8:
				if r.IntN(3) == 0 {
					chat = view.NewChat(chat.Items()[:1+r.IntN(chat.Len())], view.Spent{})
				} else {
					chat = chat.Apply(agent.TextDelta{Text: "So."})
				}
				shown = chat
			}
			d.show(shown, true)
			agrees(t, d, fmt.Sprintf("seed %d, step %d", seed, step))
			if i := r.IntN(len(d.page.View.Rows)); r.IntN(3) == 0 {
				d.page.Keyboard.pick(i, d.page.View.Rows[i].isGroupHead(i))
				d.Key([]fyne.KeyName{fyne.KeyReturn, fyne.KeyUp, fyne.KeyDown, fyne.KeyTab}[r.IntN(4)])
				agrees(t, d, fmt.Sprintf("seed %d, key after step %d", seed, step))
			}
		}
	}
}

// agrees checks the groups of a transcript against its items.
func agrees(t *testing.T, d *desk, when string) {
	t.Helper()
	v := &d.page.View
	in := make(map[int]view.CallRun)
	for _, run := range view.CallRuns(v.Items, 0) {
		for i := run.From; i < run.To; i++ {
			in[i] = run
		}
	}
	if len(v.Rows) != len(v.Items) || v.Heights.Len() != len(v.Items) {
		t.Fatalf("%s: %d items have %d rows and %d heights", when, len(v.Items), len(v.Rows), v.Heights.Len())
	}
	for i := range v.Rows {
		r, run := &v.Rows[i], view.CallRun{}
		if r.group != nil {
			run = view.CallRun{From: r.group.from, To: r.group.to}
		}
		if run != in[i] {
			t.Fatalf("%s: row %d is in the group %v, want %v", when, i, run, in[i])
		}
		want := float32(0)
		if r.isGroupHead(i) {
			want = headHeight + rowGap
		}
		if r.isHidden() && (r.Block != nil || v.Heights.Each[i] != want) {
			t.Fatalf("%s: the covered row %d has the block %v and the height %v, want %v", when, i, r.Block, v.Heights.Each[i], want)
		}
	}
}
