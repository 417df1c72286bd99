//go:build unix && !linux

package proc

import (
	"os"
	"syscall"
)

const adopts = false

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// near is empty: these systems have no lists of children. below finds them all.
func near(int) []int { return nil }

// hide does nothing: these systems have no sandbox yet.
func hide() error { return nil }

// openFile returns nil: here, a keeper's program has a name.
func openFile(string) *os.File { return nil }
