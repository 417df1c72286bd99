// Package daemon starts the programs of a hidden desktop: its display server, its window manager
// and its buses.
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

// Start starts a program. A goroutine waits for the program and then ends. With Pdeathsig, Linux
// kills a process when the thread that started it exits, so the goroutine keeps its thread until
// the process has ended.
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
