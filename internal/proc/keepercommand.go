package proc

import (
	"errors"
	"os"
	"syscall"
	"time"

	"goated/internal/sandbox"
	"goated/internal/sandbox/hold"
)

const (
	// keeperLimit is how long a keeper may take to start.
	keeperLimit = 20 * time.Second
	// sweepLimit is how long a keeper may take to kill the rest of its tree.
	sweepLimit = 5 * time.Second
	// sweepPause is the time between two rounds of a sweep.
	sweepPause = 2 * time.Millisecond
	// watchPause is the time between two reads of the process table, on systems
	// where the keeper does not adopt orphans.
	watchPause = 250 * time.Millisecond
	// lastSweeps limits the rounds of the last sweep, because some processes cannot be killed.
	lastSweeps = 500
)

// A keeperCommand is the first message to a keeper. It describes the server to run.
type keeperCommand struct {
	Program string
	Args    []string
	Dir     string
	Env     []string
	Policy  *sandbox.Policy // nil: no sandbox
	Group   int             // the keeper's descriptor for the server's control group; 0: no group
}

// A keeperOrder is a later message to a keeper. It asks the keeper to terminate the server, or
// answers the keeper's question about a host.
type keeperOrder struct {
	Terminate bool        `json:",omitempty"`
	Host      string      `json:",omitempty"`
	Answer    hold.Answer `json:",omitempty"`
}

// A keeperReport is a message from a keeper. The first one reports the start of the server, the
// next ones each refusal and each question of the sandbox, and the last one the server's exit.
type keeperReport struct {
	PID     int                 `json:",omitempty"`
	Errno   int                 `json:",omitempty"` // why the program did not start
	Error   string              `json:",omitempty"` // why the keeper could not start it
	Sandbox sandbox.Status      `json:",omitzero"`
	Env     []string            `json:",omitempty"` // the variables that the sandbox added
	Refused *sandbox.Permission `json:",omitempty"`
	Asks    string              `json:",omitempty"` // the host that the server wants to reach
	Status  int                 // of wait(2)
}

// inherited is the path of a keeper's program that has no name of its own: goated passes its open
// file on as this descriptor. The path also works in a bubble, where /proc does not show the
// process that started the keeper.
const inherited = openFiles + "7"

// openFiles is the folder of a process's own open files.
const openFiles = "/proc/self/fd/"

// ErrKeeper means that the keeper itself did not start; the server is not the cause.
var ErrKeeper = errors.New("the process that supervises the server did not start")

// startOp is the Op of an os/exec error about the program itself.
const startOp = "fork/exec"

// startFailure makes the report that the server did not start. It keeps the program's errno; other
// errors become text.
func startFailure(err error) keeperReport {
	var path *os.PathError
	var errno syscall.Errno
	if errors.As(err, &path) && path.Op == startOp && errors.As(path.Err, &errno) {
		return keeperReport{Errno: int(errno)}
	}
	return keeperReport{Error: err.Error()}
}

// failure returns the error that the keeper reported for a program, or nil if the program runs.
func (r keeperReport) failure(program string) error {
	switch {
	case r.Error != "":
		return errors.New(r.Error)
	case r.Errno != 0:
		return &os.PathError{Op: startOp, Path: program, Err: syscall.Errno(r.Errno)}
	}
	return nil
}
