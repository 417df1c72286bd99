package apps

import (
	"os/exec"
	"syscall"
)

// separate gives a program a session of its own, so that it goes on without goated.
func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
