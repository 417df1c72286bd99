package client

import (
	"errors"
	"fmt"
	"time"
)

// What a server writes that nobody needs may weigh floodLimit within floodTime;
// past it, a server is put away as one that floods. The weights are about what
// each costs: a million blank lines at once are taken, a hundred thousand
// notifications that nobody knows are one too many. What comes of a call that
// runs weighs nothing, however much it is.
const (
	floodLimit = 2_000_000
	floodTime  = 10 * time.Second

	blankWeight = 1
	strayWeight = 100
)

// A fate is what comes of a message that is no answer.
type fate int

const (
	asks    fate = iota // it is a request
	passes              // it is the SDK's
	used                // it tells of a call that runs
	spare               // MCP has it, and nobody waits for it
	unknown             // goated never asked for the like of it
)

// weight is what it adds to a flood.
func (f fate) weight() int {
	switch f {
	case used:
		return 0
	case spare:
		return 2
	}
	return 20
}

// useful reports whether a server that sends it is one that speaks MCP in earnest.
func (f fate) useful() bool { return f != spare && f != unknown }

var errFlood = errors.New("the server floods its stdout with what nobody asked for")

// Flooded reports whether err is that a server was put away since it wrote more
// than anybody can use, be it MCP or not.
func Flooded(err error) bool { return errors.Is(err, errFlood) }

// A burden sums up weights, and looks at the clock, which is monotonic, when
// there are many.
type burden struct {
	sum   int
	since time.Time
}

func (b *burden) add(weight int, what string, now func() time.Time) error {
	if b.since.IsZero() {
		b.since = now()
	}
	if b.sum += weight; b.sum <= floodLimit {
		return nil
	}
	if t := now(); t.Sub(b.since) >= floodTime {
		b.sum, b.since = weight, t
		return nil
	}
	return fmt.Errorf("%w, last: %s", errFlood, printable([]byte(what)))
}

// waste counts something that nobody needs. Its error ends the connection.
func (c *stdio) waste(weight int, what string) error {
	if weight == 0 {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.idle.add(weight, what, time.Now)
}
