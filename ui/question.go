package ui

import (
	"time"

	"goated/ui/kit"
	"goated/ui/view"
)

// A question is put to the user in a sheet. draw makes the sheet, which calls
// answer with a value that the asking goroutine knows, or with a func() any that
// makes one; behind is the number of questions that wait.
type question struct {
	guard time.Duration // how long the sheet takes no answer after it has come up
	draw  func(sh *shell, behind int, answer func(any)) *kit.Sheet
}

// waiting says that more questions follow; empty if none do.
func waiting(behind int) string {
	if behind == 0 {
		return ""
	}
	return view.Plural(behind, "%d more question waits", "%d more questions wait")
}
