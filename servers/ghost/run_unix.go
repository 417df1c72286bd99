//go:build unix && !linux

package ghost

import (
	"os/exec"
	"syscall"
)

// run runs a player in its own process group, so that a kill reaches its children.
func run(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd.Run()
}
