package store

import (
	"fmt"
	"io"
	"slices"
)

// A Recording is a conversation from a file that ExportJSON wrote.
type Recording struct {
	ID    string
	Title string
	Turns []Turn // from the first to the active one
}

// ReadExport reads the conversations from a file that ExportJSON wrote. It needs no database.
func ReadExport(r io.Reader) ([]Recording, error) {
	doc, err := parse(r)
	if err != nil {
		return nil, fmt.Errorf("reading the file: %w", err)
	}
	var all []Recording
	for i, c := range doc.Conversations {
		turns := make(map[string]Turn)
		last := c.Active
		for k, e := range c.Turns {
			t, err := importTurn(e)
			if err != nil {
				return nil, fmt.Errorf("reading the file: conversation %d: turn %d: %w", i+1, k+1, err)
			}
			if _, known := turns[t.Parent]; t.Parent != "" && !known {
				return nil, fmt.Errorf("reading the file: conversation %d: turn %d: %w", i+1, k+1, errNoParent)
			}
			turns[t.ID] = t
			if t.Parent == last || last == "" {
				last = t.ID // the branch of the active turn continues to its newest turn
			}
		}
		recording := Recording{ID: c.ID, Title: c.Title}
		for id := last; id != ""; id = turns[id].Parent {
			t, ok := turns[id]
			if !ok {
				return nil, fmt.Errorf("reading the file: conversation %d has no turn %q, which should be the active one", i+1, id)
			}
			recording.Turns = append(recording.Turns, t)
		}
		slices.Reverse(recording.Turns)
		all = append(all, recording)
	}
	return all, nil
}
