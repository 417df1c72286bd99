package proc

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// isolate makes the process lead a new session and group. Then goated can kill its descendants with
// it, and a Ctrl+C in goated's terminal does not reach it. The process dies with the thread that
// started it.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// adopt makes this process the parent of all orphans below it.
func adopt() error { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// near lists the descendants of pid from the kernel's lists of children. Reading these is fast even
// on a busy machine, but may miss a process while another one exits. So the caller repeats it.
func near(pid int) []int {
	tasks, err := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task")
	if err != nil {
		return nil // it has exited
	}
	var pids []int
	for _, task := range tasks {
		list, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/task/" + task.Name() + "/children")
		if err != nil {
			continue
		}
		for _, field := range strings.Fields(string(list)) {
			if child, err := strconv.Atoi(field); err == nil {
				pids = append(append(pids, child), near(child)...)
			}
		}
	}
	return pids
}

// readProcTable lists the running processes.
func readProcTable() procTable {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	now := make(procTable, len(names))
	for _, name := range names {
		id, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue
		}
		// The name, in parentheses, may contain anything. The state, the parent and the group
		// follow it, and the start time is the 20th field after it.
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(fields) < 20 || fields[0] == "Z" {
			continue
		}
		var p procEntry
		p.parent, _ = strconv.Atoi(fields[1])
		p.group, _ = strconv.Atoi(fields[2])
		p.began, _ = strconv.ParseInt(fields[19], 10, 64)
		now[id] = p
	}
	return now
}
