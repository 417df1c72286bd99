//go:build unix && !linux && !darwin

package client

import (
	"os/exec"
	"syscall"
)

func isolate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

func adopt() error { return nil }

func takeCensus() census { return nil }
