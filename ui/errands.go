package ui

import (
	"time"

	"goated/ui/kit"
	"goated/ui/view"
)

// The errands are what a card has the window do for it.
type errands struct {
	kit.Runner
	view func(view.Part)             // shows all of a part
	save func(name string, d []byte) // asks where to, and writes
	play func(sound []byte)          // by the system's player
	now  func() time.Time
}

func (e errands) clock() time.Time {
	if e.now == nil {
		return time.Now()
	}
	return e.now()
}
