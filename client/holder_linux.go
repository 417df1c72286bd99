package client

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// holder finds the process that listens at a TCP port, if it is one that the
// user may look into.
func holder(port string) (name string, pid int) {
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return "", 0
	}
	sockets := make(map[string]bool)
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		data, err := os.ReadFile(table)
		if err != nil {
			continue
		}
		for _, inode := range listeners(string(data), uint16(n)) {
			sockets["socket:["+inode+"]"] = true
		}
	}
	if len(sockets) == 0 {
		return "", 0
	}
	files, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, file := range files {
		if to, err := os.Readlink(file); err != nil || !sockets[to] {
			continue
		}
		process := strings.Split(file, "/")[2]
		pid, _ = strconv.Atoi(process)
		comm, _ := os.ReadFile("/proc/" + process + "/comm")
		return strings.TrimSpace(string(comm)), pid
	}
	return "", 0
}

// listeners are the inodes of the sockets in one of the kernel's tables that
// listen at a port.
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
