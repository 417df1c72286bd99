// Package live lets the user watch and stop a desktop server from goated's window: the
// server reports what it does, the window shows that with pictures of the hidden desktop,
// and the user's halt goes back.
//
// The server's half is a [Reporter], the window's a [View]; both speak over package
// hostcall. The package owns what was reported. It must not know a window system, and takes
// pictures through a [Mirror].
package live

import (
	"context"
	"image"
	"time"
)

// The requests of the server. They need no call under way: they change nothing for the user.
const (
	methodReport = "dev.goated/always/desktop/report" // what the server does
	methodOrders = "dev.goated/always/desktop/orders" // waits for a halt or a resume of the user
)

// An Action is something that the server did or does.
type Action struct {
	Method string    `json:"method"`           // of the protocol, such as "ClickElement"
	Target string    `json:"target,omitempty"` // the object of the action, in words; may hold text of programs
	Begun  time.Time `json:"begun"`
	Ended  bool      `json:"ended,omitempty"`
	Failed string    `json:"failed,omitempty"` // why it failed; empty: it did not
}

// recent is how many actions a report has.
const recent = 6

// A State is what the window shows. The zero value is a server that does not run.
type State struct {
	Connected bool     `json:"-"` // a server reports
	Hidden    bool     `json:"-"` // it works on a hidden desktop, and sends pictures of it
	Halted    bool     `json:"halted"`
	Key       string   `json:"key"`     // the keys that halt it; empty: none
	Acting    int      `json:"acting"`  // how many actions run
	Actions   []Action `json:"actions"` // the newest first
}

type (
	report struct {
		Session string `json:"session"` // of one start of the server
		State
	}
	ordersParams struct {
		Session string `json:"session"`
	}
	order struct {
		Halt bool `json:"halt"` // false: resume
	}
)

// A Mirror takes pictures of a hidden desktop, by one goroutine at a time.
type Mirror interface {
	// Take returns a picture that is at most as large as within, in pixels. It is nil if
	// the screen looks as in the last one, and belongs to the caller.
	Take(ctx context.Context, within image.Point) (*image.RGBA, error)
	Close()
}
