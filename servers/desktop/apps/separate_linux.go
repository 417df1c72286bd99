package apps

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// separate starts a program in a new session, so that it keeps running when goated exits.
func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// members returns the running processes in sessions that separate created. It misses processes that
// created their own session, such as daemons.
func members(sessions map[int]bool) []int {
	all, _ := os.ReadDir("/proc")
	var found []int
	for _, e := range all {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if s := stat(pid); s.runs() && sessions[s.session] {
			found = append(found, pid)
		}
	}
	return found
}

func terminate(pids []int) { signal(pids, syscall.SIGTERM) }
func kill(pids []int)      { signal(pids, syscall.SIGKILL) }

func signal(pids []int, s syscall.Signal) {
	for _, pid := range pids {
		_ = syscall.Kill(pid, s)
	}
}
