package client

import (
	"os/exec"
	"strconv"
	"syscall"
)

// errPipe is the system's error for writing to a process that has ended:
// ERROR_NO_DATA, "The pipe is being closed".
const errPipe = syscall.Errno(232)

// isolate keeps the server from opening a console window and from getting
// goated's Ctrl+C.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// terminateGroup does nothing: Windows has no SIGTERM, and a server that does
// not heed the end of its input is killed.
func terminateGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) {
	// taskkill ends the tree; errors are those of a tree that is already gone.
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run() // bounded by the system
	_ = cmd.Process.Kill()
}
