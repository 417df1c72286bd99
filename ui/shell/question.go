package shell

import (
	"time"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
)

const (
	// GuardTime is the time in which a new question takes no answer. It stops a key or a
	// click that was meant for what the question covers.
	GuardTime = 500 * time.Millisecond
	// MaxWhat is how long [Entry.What] of a question that waits is, in characters.
	MaxWhat = 90
)

// A Question is a question to the user, in its own sheet. Draw makes the sheet, with a button
// that opens the list of all questions. The sheet calls answer with a value of the type that
// the asking goroutine expects, or with a func() any that returns one. If that function
// returns nil, the question stays open.
type Question struct {
	Guard    time.Duration // the time in which the new sheet takes no answer
	Deferred bool          // it waits until the user wants to see it: do not disturb
	Draw     func(sh *Shell, count *Counter, answer func(any)) *kit.Sheet
	Again    func() // the sheet was behind another question, and is on the screen again; nil: nothing has to know

	Listed Entry // Icon, Who and What, for the list of the questions that wait

	// The conversation that calls Server shows Card in place of the sheet; nil: none does.
	Server string
	Card   func(sh *Shell, count *Counter, answer func(any)) Card
}

// A Card is a question in a conversation. Its methods belong to the UI goroutine.
type Card interface {
	Object() fyne.CanvasObject
	Appear()         // the user sees it from now on
	Accept()         // Ctrl+Enter
	Decline()        // Esc
	Preview() string // for the list of conversations
	Hint() string    // what the keys do
	Listed() Entry   // Icon, Who and What, for the list of the questions that wait
}
