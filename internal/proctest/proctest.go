// Package proctest starts programs for tests, such as a display server or a bus.
//
// A program ends with its test, also when the process of the test is killed. The package
// must not know what the programs do.
package proctest

import (
	"os/exec"
	"runtime"
	"testing"
)

// Start starts a program until the test ends. Nobody else waits for it.
func Start(t testing.TB, cmd *exec.Cmd) error {
	t.Helper()
	bind(cmd)
	started, ended := make(chan error), make(chan struct{})
	go func() {
		defer close(ended)
		// Linux ends the program with the thread that started it, and Go ends idle threads
		// of goroutines that lock them. So the thread stays as long as the program.
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
