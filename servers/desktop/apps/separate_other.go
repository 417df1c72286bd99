//go:build !linux

package apps

import "os/exec"

// separate does nothing, because desktop files exist only on Linux.
func separate(*exec.Cmd) {}

func members(map[int]bool) []int { return nil }
func terminate([]int)            {}
func kill([]int)                 {}
