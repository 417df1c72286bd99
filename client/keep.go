package client

import (
	"time"

	"goated/internal/sandbox"
)

const (
	// keeperLimit bounds the start of a keeper: a system that is that slow has
	// other troubles.
	keeperLimit = 20 * time.Second
	// sweepLimit bounds what a keeper needs to kill what is left.
	sweepLimit = 5 * time.Second
	// sweepPause is between two looks for what is left.
	sweepPause = 2 * time.Millisecond
	// watchPause is between two looks at what there is, on systems where orphans
	// are not found otherwise.
	watchPause = 250 * time.Millisecond
)

// An order is what a keeper is told to run.
type order struct {
	Program string
	Args    []string
	Dir     string
	Env     []string
	Policy  *sandbox.Policy // nil: no sandbox
}

// A report is what a keeper says: first the server's start, then its end.
type report struct {
	PID     int            `json:",omitempty"`
	Errno   int            `json:",omitempty"` // why it did not start
	Error   string         `json:",omitempty"` // why its sandbox could not be made
	Sandbox sandbox.Status `json:",omitzero"`
	Status  int            // as wait(2) has it
}
