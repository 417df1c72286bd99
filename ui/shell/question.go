package shell

import (
	"time"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
)

const (
	// GuardTime is how long a new question accepts no answer. This catches keys and clicks that
	// were meant for what the question covers.
	GuardTime = 500 * time.Millisecond
	// MaxWhat limits [Entry.What] of a waiting question, in characters.
	MaxWhat = 90
)

// A Question is a question to the user, in its own sheet. Draw creates the sheet, with a button
// that opens the list of all questions. The sheet calls answer with a value of the type that the
// asking goroutine expects, or with a func() any that returns one. If that function returns nil,
// the question stays open.
type Question struct {
	Guard    time.Duration // how long the new sheet accepts no answer
	Deferred bool          // it waits until the user wants to see it, because of "do not disturb"
	Draw     func(sh *Shell, count *Counter, answer func(any)) *kit.Sheet
	Again    func() // the sheet was behind another question and is visible again; may be nil

	Listed Entry // Icon, Who and What, for the list of waiting questions

	// If a conversation has called Server, it shows Card instead of the sheet. Card is nil if the
	// question has only a sheet.
	Server string
	Card   func(sh *Shell, count *Counter, answer func(any)) Card
}

// A Card is a question in a conversation. Its methods belong to the UI goroutine.
type Card interface {
	Object() fyne.CanvasObject
	Appear()         // the card becomes visible to the user
	Accept()         // Ctrl+Enter
	Decline()        // Esc
	Preview() string // for the list of conversations
	Hint() string    // describes the keys
	Listed() Entry   // Icon, Who and What, for the list of waiting questions
}
