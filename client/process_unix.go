//go:build unix

package client

import (
	"os/exec"
	"syscall"
)

// errPipe is the system's error for writing to a process that has ended.
const errPipe = syscall.EPIPE

// isolate makes the process the leader of a group of its own: what it starts
// can be ended with it, and a Ctrl+C in goated's terminal does not reach it.
func isolate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// The errors are those of a group that is already gone.
func terminateGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
func killGroup(cmd *exec.Cmd)      { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
