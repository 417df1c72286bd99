//go:build !linux

package proctest

import "os/exec"

// bind does nothing, because only Linux can kill a program with its parent.
func bind(*exec.Cmd) {}
