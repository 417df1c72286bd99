//go:build unix

package proctest

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Alive reports whether a process runs. A process that has ended is not alive, even if its parent
// has not reaped it. Without /proc it can't tell, and reports false.
func Alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !strings.Contains(string(stat), ") Z ")
}
