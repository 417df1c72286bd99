package ghost

import (
	"os/exec"
	"syscall"
)

// run runs a player without a console window.
func run(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true}
	return cmd.Run()
}
