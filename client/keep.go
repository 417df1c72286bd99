package client

import (
	"errors"
	"os"
	"syscall"
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
	// lastLooks bounds how often a keeper looks for what it has killed before it
	// ends: the system can't kill everything.
	lastLooks = 500
)

// An order is what a keeper is told to run.
type order struct {
	Program string
	Args    []string
	Dir     string
	Env     []string
	Policy  *sandbox.Policy // nil: no sandbox
}

// orderTerm is what a keeper is told, later, of a server that is to end.
const orderTerm = "terminate"

// A report is what a keeper says: first the server's start, then each host that
// it was refused, and last its end.
type report struct {
	PID     int                 `json:",omitempty"`
	Errno   int                 `json:",omitempty"` // why it did not start
	Error   string              `json:",omitempty"` // why it could not be got ready for that
	Sandbox sandbox.Status      `json:",omitzero"`
	Env     []string            `json:",omitempty"` // what the sandbox added to it
	Refused *sandbox.Permission `json:",omitempty"`
	Status  int                 // as wait(2) has it
}

// errKeeper is that there is nobody to keep a server, whatever the server is.
var errKeeper = errors.New("what keeps the server did not start")

// startOp is the operation in os/exec's errors about the program itself.
const startOp = "fork/exec"

// refusal reports that the server did not start. What the system said of its
// program keeps its kind; everything else is told in words.
func refusal(err error) report {
	var path *os.PathError
	var errno syscall.Errno
	if errors.As(err, &path) && path.Op == startOp && errors.As(path.Err, &errno) {
		return report{Errno: int(errno)}
	}
	return report{Error: err.Error()}
}

// failure is the error that was reported of a program; nil if it runs.
func (r report) failure(program string) error {
	switch {
	case r.Error != "":
		return errors.New(r.Error)
	case r.Errno != 0:
		return &os.PathError{Op: startOp, Path: program, Err: syscall.Errno(r.Errno)}
	}
	return nil
}
