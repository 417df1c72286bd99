//go:build !linux

package command

import "os/exec"

// group does nothing, because the backend drives only Linux desktops.
func group(*exec.Cmd) {}
