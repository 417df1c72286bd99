//go:build !linux

package privatebus

import (
	"os"
	"os/exec"
)

func detach(*exec.Cmd) {}

func end(cmd *exec.Cmd, hard bool) {
	if hard {
		_ = cmd.Process.Kill()
		return
	}
	_ = cmd.Process.Signal(os.Interrupt)
}
