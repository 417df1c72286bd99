//go:build !linux

package proctest

import "os/exec"

// bind does nothing: only Linux can end a program with its parent.
func bind(*exec.Cmd) {}
