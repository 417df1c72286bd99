//go:build unix && !linux

package proc

import (
	"os"
	"syscall"
)

const adopts = false

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// near returns nil: these systems have no lists of children. below finds all descendants.
func near(int) []int { return nil }

// hide does nothing: these systems have no sandbox yet.
func hide() error { return nil }

// openFile returns nil: on these systems the keeper's program always has a path.
func openFile(string) *os.File { return nil }
