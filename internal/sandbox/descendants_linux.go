//go:build amd64 || arm64

package sandbox

import (
	"os"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"

	"goated/internal/sandbox/tasks"
)

// isDescendant reports whether a process is the server or one of its descendants. It reads the
// ancestors twice, because Linux may reuse the process ID of a parent that has exited.
func (n *notifier) isDescendant(pid int) bool {
	line := func() []int {
		var out []int
		for next := pid; next > 1 && len(out) < 1000; {
			out = append(out, next)
			if next == n.server || n.adoptsOrphans && len(out) > 1 && next == os.Getpid() {
				return out
			}
			s, err := tasks.Of(next)
			if err != nil {
				break
			}
			next = s.Parent
		}
		return nil
	}
	first := line()
	return first != nil && slices.Equal(first, line())
}

// isSubreaper reports whether the server's orphans become children of this process, as in a keeper.
// In that case all descendants of this process belong to the server.
func isSubreaper() bool {
	var yes int32
	err := unix.Prctl(unix.PR_GET_CHILD_SUBREAPER, uintptr(unsafe.Pointer(&yes)), 0, 0, 0)
	return err == nil && yes != 0
}
