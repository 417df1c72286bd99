package portowner

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"goated/client/diagnose"
)

// Of returns the process that listens on a TCP port. It finds only processes that the user may
// inspect.
func Of(port string) diagnose.Process {
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return diagnose.Process{}
	}
	sockets := make(map[string]bool)
	for _, table := range []string{"/proc/thread-self/net/tcp", "/proc/thread-self/net/tcp6"} {
		data, err := os.ReadFile(table)
		if err != nil {
			continue
		}
		for _, inode := range listeners(string(data), uint16(n)) {
			sockets["socket:["+inode+"]"] = true
		}
	}
	if len(sockets) == 0 {
		return diagnose.Process{}
	}
	files, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, file := range files {
		if to, err := os.Readlink(file); err != nil || !sockets[to] {
			continue
		}
		process := strings.Split(file, "/")[2]
		pid, _ := strconv.Atoi(process)
		comm, _ := os.ReadFile("/proc/" + process + "/comm")
		return diagnose.Process{Name: strings.TrimSpace(string(comm)), PID: pid}
	}
	return diagnose.Process{}
}

// listeners returns the inodes of the sockets that listen on a port. table is the text of
// /proc/net/tcp or tcp6.
func listeners(table string, port uint16) (inodes []string) {
	const listening = "0A"
	at := fmt.Sprintf(":%04X", port)
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) > 9 && f[3] == listening && strings.HasSuffix(f[1], at) {
			inodes = append(inodes, f[9])
		}
	}
	return inodes
}
