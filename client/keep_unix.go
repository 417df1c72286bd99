//go:build unix

package client

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/debug"
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
// business: 4 to 6 are the server's stdin, stdout and stderr. They are not its own
// as well, nor of what may stand between goated and itself: as long as somebody
// had them, their ends would not be seen.
func Keep() {
	// The server dies with the thread that starts it.
	runtime.LockOSThread()
	// What it ignored, the server would as well, for as long as it does not say
	// otherwise; shells can't. Nobody reads what is caught.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE)
	var files [4]*os.File
	for i, name := range []string{"host", "stdin", "stdout", "stderr"} {
		syscall.CloseOnExec(3 + i)
		files[i] = os.NewFile(uintptr(3+i), name)
	}
	host, streams := files[0], files[1:]
	var o order
	orders := json.NewDecoder(host)
	if err := orders.Decode(&o); err != nil {
		os.Exit(1) // goated is gone already
	}
	_ = hide()
	_ = adopt() // without it, orphans are found as far as the system shows them
	k := &keeper{reports: json.NewEncoder(host)}
	k.saying.Lock() // nothing is said before the start
	pid, held, err := o.start(streams, func(p sandbox.Permission) { k.report(report{Refused: &p}) })
	closeAll(streams...)
	if err != nil {
		_ = k.reports.Encode(refusal(err))
		os.Exit(1)
	}
	k.pid, k.kin = pid, newKin(pid)
	born := report{PID: pid}
	if held != nil {
		born.Sandbox, born.Env = held.Status, held.Env
	}
	_ = k.reports.Encode(born) // where nobody hears it, the next lines see that
	k.saying.Unlock()
	go k.obey(orders)
	go k.watch()
	// It waits from here on, for as long as the server lives: what starting it and
	// the program took goes back to the system.
	debug.FreeOSMemory()
	k.reap()
}

// start starts the server. reap waits for it.
func (o order) start(streams []*os.File, refused func(sandbox.Permission)) (pid int, held *sandbox.Sandbox, err error) {
	cmd := &exec.Cmd{
		Path: o.Program, Args: append([]string{o.Program}, o.Args...), Dir: o.Dir, Env: o.Env,
		Stdin: streams[0], Stdout: streams[1], Stderr: streams[2], SysProcAttr: attributes(),
	}
	if o.Policy != nil {
		held, err = sandbox.Start(cmd, *o.Policy, refused)
	} else {
		err = cmd.Start()
	}
	if err != nil {
		return 0, nil, err
	}
	return cmd.Process.Pid, held, nil
}

type keeper struct {
	pid int

	saying  sync.Mutex
	reports *json.Encoder

	mu   sync.Mutex
	gone bool // the server is reaped: its pid is nobody's, or another's
	kin  *kin // what was seen, where watch is needed
}

// obey does what goated says, until it says no more. It ends with the process.
func (k *keeper) obey(orders *json.Decoder) {
	for {
		var what string
		if err := orders.Decode(&what); err != nil {
			k.sweep()
		}
		if what == orderTerm {
			k.terminate()
		}
	}
}

// terminate asks all there are to end, each once: what left the server's group
// for one of its own may have something to save, too.
func (k *keeper) terminate() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.gone {
		return
	}
	for _, pid := range below(os.Getpid()) {
		if group, err := syscall.Getpgid(pid); err == nil && group != k.pid {
			_ = syscall.Kill(pid, syscall.SIGTERM)
		}
	}
	_ = syscall.Kill(-k.pid, syscall.SIGTERM)
}

// report says something to goated. Where nobody hears it, Keep sees that.
func (k *keeper) report(r report) {
	k.saying.Lock()
	defer k.saying.Unlock()
	_ = k.reports.Encode(r)
}

// reap buries the server and its orphans, and ends with the last of them.
func (k *keeper) reap() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil: // ECHILD: nobody is left
			for n := 0; n < lastLooks && k.killKnown() > 0; n++ {
				time.Sleep(sweepPause) // what was killed may have forked a moment before
			}
			os.Exit(0)
		case pid == k.pid:
			k.mu.Lock()
			k.gone = true
			k.mu.Unlock()
			k.report(report{Status: int(status)})
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
//
// The first process of a bubble has it easier: the kernel ends all others with it.
func (k *keeper) sweep() {
	if os.Getpid() == 1 {
		os.Exit(0)
	}
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
	if adopts {
		return
	}
	for f := newForks(); ; {
		k.mu.Lock()
		pids := append(k.kin.living(takeCensus()), k.pid)
		k.mu.Unlock()
		f.wait(pids, watchPause)
	}
}

// killKnown kills those that were seen, as far as they are still who they were.
// It returns how many there were.
func (k *keeper) killKnown() int {
	if adopts {
		return 0
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	all := k.kin.living(takeCensus())
	for _, pid := range all {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	return len(all)
}
