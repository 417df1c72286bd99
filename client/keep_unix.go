//go:build unix

package client

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"syscall"
	"time"

	"goated/internal/sandbox"
)

// Keep makes this process the keeper of one server, and never returns. A program
// that calls it, first thing in main, can be named in [Options.Keeper].
//
// The keeper stands between goated and the server: it adopts what the server's
// descendants leave behind, so that not even a daemon gets away, and when the
// server ends, goated says so, or goated is gone, killed or crashed, it kills
// them all. It speaks with goated over file descriptor 3, and has no other
// business: the server's stdin, stdout and stderr are the server's own.
func Keep() {
	// The server dies with the thread that starts it.
	runtime.LockOSThread()
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE)
	host := os.NewFile(3, "host")
	syscall.CloseOnExec(3)
	var o order
	orders := json.NewDecoder(host)
	if err := orders.Decode(&o); err != nil {
		os.Exit(1) // goated is gone already
	}
	_ = adopt() // without it, orphans are found as far as the system shows them
	k := &keeper{reports: json.NewEncoder(host), known: make(map[int]bool)}
	pid, status, err := o.start()
	if err != nil {
		_ = k.reports.Encode(refusal(err))
		os.Exit(1)
	}
	k.pid = pid
	// The streams are the server's: as long as the keeper had them, their ends
	// would not be seen.
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err == nil {
		for fd := range 3 {
			_ = dup(int(null.Fd()), fd)
		}
	}
	_ = k.reports.Encode(report{PID: pid, Sandbox: status}) // where nobody hears it, the next lines see that
	go func() {                                             // ends with the process
		_, _ = io.Copy(io.Discard, host)
		k.sweep()
	}()
	go k.watch()
	// It waits from here on, for as long as the server lives: what starting it and
	// the program took goes back to the system.
	debug.FreeOSMemory()
	k.reap()
}

// start starts the server with the keeper's own streams. reap waits for it.
func (o order) start() (pid int, status sandbox.Status, err error) {
	cmd := &exec.Cmd{
		Path: o.Program, Args: append([]string{o.Program}, o.Args...), Dir: o.Dir, Env: o.Env,
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, SysProcAttr: attributes(),
	}
	if o.Policy != nil {
		status, err = sandbox.Start(cmd, *o.Policy)
	} else {
		err = cmd.Start()
	}
	if err != nil {
		return 0, status, err
	}
	return cmd.Process.Pid, status, nil
}

type keeper struct {
	pid     int
	reports *json.Encoder

	mu    sync.Mutex
	known map[int]bool // descendants that were seen, where watch is needed
}

// reap buries the server and its orphans, and ends with the last of them.
func (k *keeper) reap() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil: // ECHILD: nobody is left
			k.killKnown()
			os.Exit(0)
		case pid == k.pid:
			_ = k.reports.Encode(report{Status: int(status)})
			_ = syscall.Kill(-k.pid, syscall.SIGKILL)
			go k.sweep()
		}
	}
}

// sweep kills all there is, again and again: what is killed may have forked a
// moment before. Everyone is stopped first, so that a server which forks faster
// than it is killed gets no further; and those first who are found in a moment,
// since on a busy machine a walk over all processes is none. reap ends the
// process.
func (k *keeper) sweep() {
	for {
		for _, list := range []func(int) []int{near, below} {
			for _, sig := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGKILL} {
				for _, pid := range list(os.Getpid()) {
					_ = syscall.Kill(pid, sig)
				}
			}
		}
		_ = syscall.Kill(-k.pid, syscall.SIGKILL)
		k.killKnown()
		time.Sleep(sweepPause)
	}
}

// watch remembers descendants on systems where an orphan goes to another parent.
func (k *keeper) watch() {
	for !adopts {
		k.mu.Lock()
		from := []int{k.pid}
		for pid := range k.known {
			from = append(from, pid)
		}
		for _, pid := range slices.Compact(from) {
			for _, child := range below(pid) {
				k.known[child] = true
			}
		}
		for pid := range k.known {
			if syscall.Kill(pid, 0) != nil {
				delete(k.known, pid)
			}
		}
		k.mu.Unlock()
		time.Sleep(watchPause)
	}
}

func (k *keeper) killKnown() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for pid := range k.known {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}
