// Package live lets the user watch and stop a desktop server in goated's window. The server reports
// what it does. The window shows the reports, together with pictures of the hidden desktop, and
// sends the user's halt back to the server.
//
// The server uses a [Reporter], and the window a [View]. They communicate over package hostcall.
// The package owns the reported state. It must not know a window system, and takes pictures through
// a [Mirror].
package live

import (
	"context"
	"image"
	"time"
)

// The requests of the server. They are allowed even while no call is running, because they change
// nothing for the user.
const (
	methodReport = "dev.goated/always/desktop/report" // reports what the server does
	methodOrders = "dev.goated/always/desktop/orders" // waits until the user halts or resumes
)

// An Action is a past or running action of the server.
type Action struct {
	Method string    `json:"method"`           // protocol method, such as "ClickElement"
	Target string    `json:"target,omitempty"` // what the action acts on, in words; may contain text from programs
	Begun  time.Time `json:"begun"`
	Ended  bool      `json:"ended,omitempty"`
	Failed string    `json:"failed,omitempty"` // why it failed; empty if it did not
}

// recent is the number of actions in a report.
const recent = 6

// A State is what the window shows. The zero value means that no server is running.
type State struct {
	Connected bool     `json:"-"` // a server is connected and has reported
	Hidden    bool     `json:"-"` // a server works on a hidden desktop and sends pictures of it
	Halted    bool     `json:"halted"`
	Key       string   `json:"key"`     // keys that halt the server; empty if there are none
	Acting    int      `json:"acting"`  // number of running actions
	Actions   []Action `json:"actions"` // newest first
}

type (
	report struct {
		Session string `json:"session"` // identifies one start of the server
		State
	}
	ordersParams struct {
		Session string `json:"session"`
	}
	order struct {
		Halt bool `json:"halt"` // false: resume
	}
)

// A Mirror takes pictures of a hidden desktop. Only one goroutine at a time may use it.
type Mirror interface {
	// Take returns a picture of at most the size within, in pixels. It returns nil if the screen
	// has not changed since the last picture. The picture belongs to the caller.
	Take(ctx context.Context, within image.Point) (*image.RGBA, error)
	Close()
}
