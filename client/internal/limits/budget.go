package limits

import (
	"errors"
	"fmt"
	"time"
)

// A server may send useless data worth maxWeight within budgetTime. More is a flood. The weights
// approximate the cost of each message: a million blank lines at once are accepted, but a hundred
// thousand unknown notifications are one too many. Data for a running call weighs nothing.
const (
	maxWeight  = 2_000_000
	budgetTime = 10 * time.Second

	blankWeight = 1
	lineWeight  = 100
)

// A Verdict is the way in which goated handles a message.
type Verdict int

const (
	Request Verdict = iota // a request from the server
	Deliver                // the SDK handles it
	Answer                 // it responds to a call
	Used                   // it reports progress of a running call
	Unused                 // MCP defines it, but goated does not use it
	Unknown                // goated never asked for it
)

// weight returns the cost of a message with this verdict.
func (v Verdict) weight() int {
	switch v {
	case Used, Answer:
		return 0
	case Unused:
		return 2
	}
	return 20
}

// useful reports whether a message with this verdict shows that the server speaks MCP.
func (v Verdict) useful() bool { return v != Unused && v != Unknown }

// Consumed reports whether the SDK does not get the message.
func (v Verdict) Consumed() bool { return v == Used || v == Unused || v == Unknown }

// ErrFlood means that a server sent more useless data than a connection allows.
var ErrFlood = errors.New("the server floods its stdout with data that goated did not request")

// A budget sums weights. It reads the monotonic clock only when the sum is large. The zero value is
// ready to use.
type budget struct {
	sum   int
	since time.Time
}

func (b *budget) spend(weight int, what string, now func() time.Time) error {
	if b.since.IsZero() {
		b.since = now()
	}
	if b.sum += weight; b.sum <= maxWeight {
		return nil
	}
	if t := now(); t.Sub(b.since) >= budgetTime {
		b.sum, b.since = weight, t
		return nil
	}
	return fmt.Errorf("%w, last: %s", ErrFlood, printable([]byte(what)))
}
