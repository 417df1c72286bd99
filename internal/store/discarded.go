package store

import (
	"slices"

	"goated/agent"
)

// WithoutDiscarded returns the events of a turn without the texts of discarded answers. The
// [agent.AnswerDiscarded] events remain.
func WithoutDiscarded(events []agent.Event) []agent.Event {
	kept, from := make([]agent.Event, 0, len(events)), 0 // from is where the text after the last call starts
	for _, e := range events {
		switch e.(type) {
		case agent.ToolCalled:
			from = len(kept)
		case agent.AnswerDiscarded:
			kept = append(kept[:from], slices.DeleteFunc(kept[from:], isText)...)
		}
		kept = append(kept, e)
	}
	return kept
}

func isText(e agent.Event) bool {
	switch e.(type) {
	case agent.TextDelta, agent.ThoughtDelta:
		return true
	}
	return false
}
