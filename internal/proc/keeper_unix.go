//go:build unix

package proc

import (
	"context"
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
	"goated/internal/sandbox/hold"
)

// Keep turns this process into the keeper of one server, and never returns. A program that calls
// Keep first in main can be a [Command.Keeper].
//
// The keeper runs between goated and the server. It adopts orphaned descendants of the server,
// including daemons. It kills all descendants when the server exits, when goated asks for it, and
// when goated exits, even by a crash or SIGKILL.
//
// The keeper talks to goated over file descriptor 3. Descriptors 4 to 6 are the server's stdin,
// stdout and stderr. The keeper closes its copies of them, so that both sides see when the other
// end closes. Descriptor 7 is the keeper's own program, if that has no path. The first command
// names the descriptor of the control group.
func Keep() {
	// The server dies with the thread that starts it.
	runtime.LockOSThread()
	// A signal ignored here would be ignored in the server too, and shells cannot
	// undo that. So the keeper catches these signals and drops them.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE)
	var files [4]*os.File
	for i, name := range []string{"host", "stdin", "stdout", "stderr"} {
		syscall.CloseOnExec(3 + i)
		files[i] = os.NewFile(uintptr(3+i), name)
	}
	if os.Args[0] == inherited {
		_ = syscall.Close(3 + len(files))
	}
	host, streams := files[0], files[1:]
	var c keeperCommand
	commands := json.NewDecoder(host)
	if err := commands.Decode(&c); err != nil {
		os.Exit(1) // goated has ended
	}
	_ = hide()
	_ = adopt() // if this fails, the process table still shows some of the orphans
	k := &keeper{reports: json.NewEncoder(host), asked: make(map[string]func(hold.Answer))}
	if c.Group > 0 && c.Policy != nil {
		syscall.CloseOnExec(c.Group)
		c.Policy.Group = os.NewFile(uintptr(c.Group), "group")
	}
	if c.Policy != nil && c.Policy.Asks {
		c.Policy.Ask = k.ask
	}
	k.reporting.Lock() // the first report is the start
	pid, box, err := c.start(streams, func(p sandbox.Permission) { k.report(keeperReport{Refused: &p}) })
	closeAll(streams...)
	if c.Policy != nil {
		_ = c.Policy.Group.Close() // fails if there is no group
	}
	if err != nil {
		_ = k.reports.Encode(startFailure(err))
		os.Exit(1)
	}
	k.pid, k.descendants = pid, newDescendants(pid)
	started := keeperReport{PID: pid}
	if box != nil {
		started.Sandbox, started.Env = box.Status, box.Env
	}
	_ = k.reports.Encode(started) // if goated has exited, obey notices
	k.reporting.Unlock()
	go k.obey(commands) // exits with the process, as do watch and sweep
	go k.watch()
	// From now on the keeper only waits, so it returns the memory of the start to the system.
	debug.FreeOSMemory()
	k.reap()
}

// start starts the server. [keeper.reap] waits for it.
func (c keeperCommand) start(streams []*os.File, refused func(sandbox.Permission)) (pid int, box *sandbox.Sandbox, err error) {
	cmd := &exec.Cmd{
		Path: c.Program, Args: append([]string{c.Program}, c.Args...), Dir: c.Dir, Env: c.Env,
		Stdin: streams[0], Stdout: streams[1], Stderr: streams[2], SysProcAttr: attributes(),
	}
	if c.Policy != nil {
		box, err = sandbox.Start(cmd, *c.Policy, refused)
	} else {
		err = cmd.Start()
	}
	if err != nil {
		return 0, nil, err
	}
	return cmd.Process.Pid, box, nil
}

type keeper struct {
	pid int // the server's

	reporting sync.Mutex
	reports   *json.Encoder

	asking sync.Mutex
	asked  map[string]func(hold.Answer) // by host: receives goated's answers

	mu          sync.Mutex
	reaped      bool         // the pid is free or reused
	descendants *descendants // used by watch on systems where the keeper does not adopt orphans
}

// obey runs goated's commands until goated exits, and then sweeps. It ends with the process.
func (k *keeper) obey(commands *json.Decoder) {
	for {
		var order keeperOrder
		if err := commands.Decode(&order); err != nil {
			k.sweep()
		}
		switch {
		case order.Terminate:
			k.terminate()
		case order.Host != "":
			k.answer(order.Host, order.Answer)
		}
	}
}

// ask asks goated whether the server may reach a host. It is a [hold.Ask]: the sandbox asks about
// the same host again only after the last answer. If goated exits, the server is killed, so ask
// needs no answer then.
func (k *keeper) ask(_ context.Context, host string, answer func(hold.Answer)) {
	k.asking.Lock()
	k.asked[host] = answer
	k.asking.Unlock()
	k.report(keeperReport{Asks: host})
}

// answer passes goated's answer on to the sandbox.
func (k *keeper) answer(host string, a hold.Answer) {
	k.asking.Lock()
	answer := k.asked[host]
	if a != hold.Held {
		delete(k.asked, host)
	}
	k.asking.Unlock()
	if answer != nil {
		answer(a)
	}
}

// terminate sends SIGTERM once to every descendant, even to those that left the server's process
// group, because they may have data to save.
func (k *keeper) terminate() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.reaped {
		return
	}
	for _, pid := range below(os.Getpid()) {
		if group, err := syscall.Getpgid(pid); err == nil && group != k.pid {
			_ = syscall.Kill(pid, syscall.SIGTERM)
		}
	}
	_ = syscall.Kill(-k.pid, syscall.SIGTERM)
}

// report sends a report to goated. If goated has exited, obey notices.
func (k *keeper) report(r keeperReport) {
	k.reporting.Lock()
	defer k.reporting.Unlock()
	_ = k.reports.Encode(r)
}

// reap waits for the server and its orphans. It ends this process when none of them is left.
func (k *keeper) reap() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil: // ECHILD: no child is left
			for n := 0; n < lastSweeps && k.killKnown() > 0; n++ {
				time.Sleep(sweepPause) // a killed process may have forked just before
			}
			os.Exit(0)
		case pid == k.pid:
			k.mu.Lock()
			k.reaped = true
			k.mu.Unlock()
			k.report(keeperReport{Status: int(status)})
			_ = syscall.Kill(-k.pid, syscall.SIGKILL)
			go k.sweep() // ends with the process
		}
	}
}

// sweep kills every descendant, in rounds, because a process may fork just before it is killed.
// Each round first stops all of them, so that a server cannot fork faster than it is killed. A
// round begins with the kernel's lists of children, because reading the whole process table takes
// long on a busy machine. reap finally ends this process.
//
// If the keeper is the first process of a bubble, it just exits: the kernel then kills all others.
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

// watch records descendants on systems where the keeper does not adopt orphans.
func (k *keeper) watch() {
	if adopts {
		return
	}
	for f := newForkEvents(); ; {
		k.mu.Lock()
		pids := append(k.descendants.living(readProcTable()), k.pid)
		k.mu.Unlock()
		f.wait(pids, watchPause)
	}
}

// killKnown kills the recorded descendants that still run, and returns how many there were.
func (k *keeper) killKnown() int {
	if adopts {
		return 0
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	all := k.descendants.living(readProcTable())
	for _, pid := range all {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	return len(all)
}
