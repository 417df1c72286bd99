// Package daemon starts the programs that a hidden desktop consists of: its display server,
// its window manager and its buses.
//
// The caller owns each process and ends it. The package must not know displays or buses.
package daemon

import (
	"os/exec"
	"runtime"
)

// A Process is a running program.
type Process struct {
	*exec.Cmd
	Done <-chan struct{} // closed when the process has ended
}

// Start starts a program and waits for its end on a goroutine, which ends with it. With
// Pdeathsig, Linux ends a process with the thread that started it, so the thread stays as
// long as the process.
func Start(cmd *exec.Cmd) (*Process, error) {
	done, started := make(chan struct{}), make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
			close(done)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return &Process{cmd, done}, nil
}
