package shell

import (
	"time"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/view/format"
)

// A Question is a question to the user, in its own sheet. Draw makes the sheet, and behind is
// the number of waiting questions. The sheet calls answer with a value of the type that the
// asking goroutine expects, or with a func() any that returns one. If that function returns
// nil, the question stays open.
type Question struct {
	Guard time.Duration // the time in which the new sheet takes no answer
	Held  bool          // it waits until the user wants to see it: do not disturb
	Draw  func(sh *Shell, behind int, answer func(any)) *kit.Sheet
	More  func(behind int) // the number of waiting questions changed; nil: the sheet does not show it

	// The conversation that calls Server shows Card in place of the sheet; nil: none does.
	Server string
	Card   func(sh *Shell, answer func(any)) Card
}

// A Card is a question in a conversation. Its methods belong to the UI goroutine.
type Card interface {
	Object() fyne.CanvasObject
	Appear()         // the user sees it from now on
	Accept()         // Ctrl+Enter
	Decline()        // Esc
	Preview() string // for the list of conversations
	Hint() string    // what the keys do
}

// Waiting returns the note that more questions follow; empty if none do.
func Waiting(behind int) string {
	if behind == 0 {
		return ""
	}
	return format.Plural(behind, "%d more question is waiting", "%d more questions are waiting")
}
