// Command escape is a hostile server. It tries to escape from its sandbox, and prints the result of
// each attempt to stdout, one JSON object per line.
//
//	escape WORLD.json [NAME...]
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"
)

// A world lists the targets. The test creates it.
type world struct {
	Base    string // the folder that contains everything
	Secret  string // a file that must not be read; it contains the word "secret"
	Etc     string // a system file that only its owner can read
	Other   string // another server's file
	History string // a file of goated, below the folder of the script
	Link    string // a link to Secret; it came with the script, under a readable name
	Home    string
	Outside string // a folder with one file per attempt, by its name
	Script  string // the folder of the server's script
	Bin     string // the folder of its own program
	Sockets string // a folder with sockets of the user's programs
	TCP     int
	Allowed int // a port that it may connect to
	TCP6    int
	UDP     int
	Name    string // an abstract socket
	X11     string // another abstract socket
	Host    int    // the process that started the server
	Group   int    // its process group
	Victim  int    // another process of the same user
	FD      int    // inherited, open on Secret
	Shm     int    // key of a SysV memory segment
	Msg     int    // key of a SysV message queue
	Forks   int    // more processes than are allowed
	Tasks   string // a file with the host's threads, once they are known
	Shared  string // shared memory of another program
	Left    string // a file that the attempt tries to create there
	Shown   string // a readable folder with one file per attempt, by its name
}

type attempt struct {
	name string
	try  func(w world) error // nil means that it escaped
}

func main() {
	data, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var w world
	if err := json.Unmarshal(data, &w); err != nil {
		panic(err)
	}
	for until := time.Now().Add(10 * time.Second); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(w.Tasks); err == nil {
			break
		}
	}
	out := json.NewEncoder(os.Stdout)
	all := slices.Concat(reads, writes, descriptors, networks, processes, kernels, shares, limits)
	if len(os.Args) > 2 {
		all = append(all, asked...)
	}
	for _, a := range all {
		if len(os.Args) > 2 && !slices.Contains(os.Args[2:], a.name) {
			continue
		}
		why := ""
		if err := a.try(w); err != nil {
			why = err.Error()
		}
		_ = out.Encode(map[string]any{"name": a.name, "out": why == "", "why": why})
	}
}

// call makes a raw system call.
func call(nr uintptr, args ...uintptr) (uintptr, error) {
	var a [6]uintptr
	copy(a[:], args)
	r, _, errno := syscall.Syscall6(nr, a[0], a[1], a[2], a[3], a[4], a[5])
	if errno != 0 {
		return 0, errno
	}
	return r, nil
}

func fails(format string, a ...any) error { return fmt.Errorf(format, a...) }
