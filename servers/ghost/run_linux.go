package ghost

import (
	"os/exec"
	"runtime"
	"syscall"
)

// run runs a player in its own process group, so that a kill reaches the player's children. The
// kernel kills the player if the server is killed.
func run(cmd *exec.Cmd) error {
	// Pdeathsig depends on the thread that starts the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd.Run()
}
