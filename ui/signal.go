package ui

import (
	"slices"

	"goated/ui/kit"
)

// signalBeats is how long what was found stays marked: 4 s.
const signalBeats = 40

// signal brings words into sight that are in some of the items, and marks them
// for a while.
func (t *transcript) signal(from, to int, words []string) {
	if from >= to {
		return
	}
	items := slices.Clone(t.items[from:to])
	var hits []hit
	t.run(func() {
		for _, word := range words {
			for _, h := range search(items, word) {
				h.item += from
				hits = append(hits, h)
			}
		}
	}, func() {
		if from >= len(t.items) || t.items[from] != items[0] {
			return // another conversation is shown
		}
		first := hit{spot: spot{item: from}}
		for i, h := range hits {
			if i == 0 || h.before(first.spot) {
				first = h
			}
		}
		t.unsignal()
		t.signals = hits
		t.bring(first.spot)
		t.redraw()
		t.signalled = t.clock.Add(signalBeats, t.unsignal)
	})
}

func (t *transcript) unsignal() {
	if t.signalled != nil {
		t.clock.Remove(t.signalled)
		t.signalled = nil
	}
	if t.signals != nil {
		t.signals = nil
		t.redraw()
	}
}

// A signalling is what was found by a search over all conversations, for as long
// as it is marked.
type signalling struct {
	signals   []hit
	signalled *kit.Beat
}

func (s *signalling) signs(item, part int) []mark {
	var out []mark
	for _, h := range s.signals {
		if h.item == item && h.part == part {
			out = append(out, mark{h.at, h.to, kit.ColorHere})
		}
	}
	return out
}
