package transcript

import (
	"slices"

	"goated/ui/kit"
	"goated/ui/textview"
)

// flashBeats is how long matches flash, in beats: 4 s.
const flashBeats = 40

// Show scrolls to the first match of the rarest of words in the items from from to to, and marks
// all matches for a while. It uses the rarest word, because a word like "the" is a poor hint at
// the place that the user wants.
func (s *flashMarks) Show(from, to int, words []string) {
	if from >= to {
		return
	}
	items := slices.Clone(s.t.View.Items[from:to])
	var hits, rarest []hit // rarest are the hits of the word with the fewest hits
	s.t.run(func() {
		for _, word := range words {
			found := search(items, word)
			for i := range found {
				found[i].Item += from
			}
			hits = append(hits, found...)
			if len(found) > 0 && (len(rarest) == 0 || len(found) < len(rarest)) {
				rarest = found
			}
		}
	}, func() {
		if from >= len(s.t.View.Items) || s.t.View.Items[from] != items[0] {
			return // the transcript shows another conversation by now
		}
		first := hit{TextPos: TextPos{Item: from}}
		for i, h := range rarest {
			if i == 0 || h.before(first.TextPos) {
				first = h
			}
		}
		s.clear()
		s.hits = hits
		s.t.View.scrollToPos(first.TextPos)
		s.t.redraw()
		s.beat = s.t.clock.Add(flashBeats, s.clear)
	})
}

func (s *flashMarks) clear() {
	if s.beat != nil {
		s.t.clock.Remove(s.beat)
		s.beat = nil
	}
	if s.hits != nil {
		s.hits = nil
		s.t.redraw()
	}
}

// flashMarks holds the temporary marks of a history search.
type flashMarks struct {
	t    *Transcript
	hits []hit
	beat *kit.Ticker
}

func (s *flashMarks) marks(item, part int) []textview.Mark {
	var out []textview.Mark
	for _, h := range s.hits {
		if h.Item == item && h.Part == part {
			out = append(out, textview.Mark{From: h.At, To: h.to, Color: kit.ColorHere})
		}
	}
	return out
}
