package ui

import (
	"time"

	"goated/ui/view"
)

// The errands are what a card has the window do for it.
type errands struct {
	begin func(func())                // runs a function on a goroutine that the window waits for
	post  func(func())                // and one on the UI goroutine
	view  func(view.Part)             // shows all of a part
	save  func(name string, d []byte) // asks where to, and writes
	play  func(sound []byte)          // by the system's player
	now   func() time.Time
}

// aside does work on a goroutine of its own and what comes of it on the UI
// goroutine; where there is no window, both at once.
func (e errands) aside(work func() (then func())) {
	if e.begin == nil || e.post == nil {
		work()()
		return
	}
	e.begin(func() { e.post(work()) })
}

func (e errands) clock() time.Time {
	if e.now == nil {
		return time.Now()
	}
	return e.now()
}
