package shell

import (
	"time"

	"goated/ui/kit"
	"goated/ui/view/format"
)

// A Question is put to the user in a sheet. Draw makes the sheet, which calls
// answer with a value that the asking goroutine knows, or with a func() any that
// makes one; behind is the number of questions that wait.
type Question struct {
	Guard time.Duration // how long the sheet takes no answer after it has come up
	Draw  func(sh *Shell, behind int, answer func(any)) *kit.Sheet
}

// Waiting says that more questions follow; empty if none do.
func Waiting(behind int) string {
	if behind == 0 {
		return ""
	}
	return format.Plural(behind, "%d more question waits", "%d more questions wait")
}
