package ghost

import (
	"os/exec"
	"runtime"
	"syscall"
)

// run runs a player in its own process group, so that a kill reaches its children.
// The kernel kills it if the server is killed.
func run(cmd *exec.Cmd) error {
	// Pdeathsig depends on the thread that starts the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd.Run()
}
