package input

import (
	"bytes"
	"fmt"
	"os"
	"time"

	"github.com/jezek/xgb/xproto"
)

const (
	// glance is the time between two checks of a program.
	glance = 10 * time.Millisecond
	// restful is how many consecutive checks must find the program idle.
	restful = 3
)

// idle waits, for a limited time, until the program of a window is idle, which means that it has read
// its input. A program also looks idle while it waits for the display, for example for the keyboard
// layout. So each check comes after a reply of the display. idle does not wait for a program that does
// not report its process, or whose process the sandbox hides.
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

// stateOf returns the state of a process as a letter of proc_pid_stat(5), or 0 if it is unknown.
func stateOf(pid int) byte {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	// "(2) comm %s The filename of the executable, in parentheses … (3) state %c": the name itself may
	// contain parentheses.
	if _, after, ok := bytes.Cut(b[bytes.LastIndexByte(b, ')')+1:], []byte(" ")); ok && len(after) > 0 {
		return after[0]
	}
	return 0
}
