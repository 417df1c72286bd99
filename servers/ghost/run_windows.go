package ghost

import (
	"os/exec"
	"syscall"
)

// run runs a player without the console window that would flash up.
func run(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true}
	return cmd.Run()
}
