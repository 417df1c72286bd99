package shell

import (
	"time"

	"goated/ui/kit"
	"goated/ui/view/format"
)

// A Question is a question to the user, in its own sheet. Draw makes the sheet;
// behind is the number of waiting questions. The sheet calls answer with a
// value of the type that the asking goroutine expects, or with a func() any
// that returns one; if that returns nil, the question stays open.
type Question struct {
	Guard time.Duration // the time in which the new sheet takes no answer
	Held  bool          // it waits until the user wants to see it: do not disturb
	Draw  func(sh *Shell, behind int, answer func(any)) *kit.Sheet
}

// Waiting returns the note that more questions follow; empty if none do.
func Waiting(behind int) string {
	if behind == 0 {
		return ""
	}
	return format.Plural(behind, "%d more question is waiting", "%d more questions are waiting")
}
