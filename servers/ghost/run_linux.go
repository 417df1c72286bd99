package ghost

import (
	"os/exec"
	"runtime"
	"syscall"
)

// run runs a player in a process group of its own, so that ending it also ends
// its children. The kernel ends it if the server is killed.
func run(cmd *exec.Cmd) error {
	// The death signal is bound to the thread that starts the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd.Run()
}
