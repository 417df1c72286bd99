package transcript

import (
	"slices"

	"goated/ui/kit"
)

// signalBeats is how long what was found stays marked: 4 s.
const signalBeats = 40

// Signal brings words into sight that are in some of the items, and marks them
// for a while.
func (t *Transcript) Signal(from, to int, words []string) {
	if from >= to {
		return
	}
	items := slices.Clone(t.Items[from:to])
	var hits []hit
	t.run(func() {
		for _, word := range words {
			for _, h := range search(items, word) {
				h.Item += from
				hits = append(hits, h)
			}
		}
	}, func() {
		if from >= len(t.Items) || t.Items[from] != items[0] {
			return // another conversation is shown
		}
		first := hit{Spot: Spot{Item: from}}
		for i, h := range hits {
			if i == 0 || h.before(first.Spot) {
				first = h
			}
		}
		t.unsignal()
		t.signals = hits
		t.bring(first.Spot)
		t.redraw()
		t.signalled = t.clock.Add(signalBeats, t.unsignal)
	})
}

func (t *Transcript) unsignal() {
	if t.signalled != nil {
		t.clock.Remove(t.signalled)
		t.signalled = nil
	}
	if t.signals != nil {
		t.signals = nil
		t.redraw()
	}
}

// A signalState is what was found by a search over all conversations, for as long
// as it is marked.
type signalState struct {
	signals   []hit
	signalled *kit.Beat
}

func (s *signalState) signs(item, part int) []mark {
	var out []mark
	for _, h := range s.signals {
		if h.Item == item && h.Part == part {
			out = append(out, mark{h.At, h.to, kit.ColorHere})
		}
	}
	return out
}
