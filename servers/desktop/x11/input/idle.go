package input

import (
	"bytes"
	"fmt"
	"os"
	"time"

	"github.com/jezek/xgb/xproto"
)

const (
	// glance is the time between two looks at a program.
	glance = 10 * time.Millisecond
	// restful is how many looks in a row find a program that has nothing to do.
	restful = 3
)

// idle waits, for a limited time, until the program of a window has nothing to do: it has read
// what was sent to it. A program also rests while it waits for the display, such as for the
// layout of the keyboard. So each look comes after the display has answered. A program that says
// no process, or one that the sandbox hides, is not waited for.
func (s *sequence) idle(w xproto.Window) {
	pid, ok := s.in.c.Ask(w, "_NET_WM_PID").Cardinal()
	if !ok {
		return
	}
	for end, quiet := time.Now().Add(answer), 0; quiet < restful && time.Now().Before(end); {
		if s.in.c.Sync() != nil {
			return
		}
		switch stateOf(int(pid)) {
		case 0:
			return
		case 'R', 'D': // it runs, waits for a processor, or waits for a disk
			quiet = 0
		default:
			quiet++
		}
		if s.pause(glance) != nil {
			return
		}
	}
}

// stateOf returns the state of a process as proc_pid_stat(5) names it, or 0 if it is unknown.
func stateOf(pid int) byte {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	// "(2) comm %s The filename of the executable, in parentheses … (3) state %c": a name may
	// have parentheses, too.
	if _, after, ok := bytes.Cut(b[bytes.LastIndexByte(b, ')')+1:], []byte(" ")); ok && len(after) > 0 {
		return after[0]
	}
	return 0
}
