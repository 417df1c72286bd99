// Package proctest writes and starts programs for tests, for example a display server or a bus.
//
// A program ends with its test, even if the test's process is killed. The package must not know
// what the programs do.
package proctest

import (
	"os/exec"
	"runtime"
	"testing"
)

// Start starts a program, which runs until the test ends. The caller must not wait for it.
func Start(t testing.TB, cmd *exec.Cmd) error {
	t.Helper()
	bind(cmd)
	started, ended := make(chan error), make(chan struct{})
	go func() {
		defer close(ended)
		// Linux kills the program with the thread that started it. When a locked goroutine ends, Go
		// ends its thread, so the goroutine stays as long as the program.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		return err
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); <-ended })
	return nil
}
