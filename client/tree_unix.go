//go:build unix

package client

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"goated/internal/sandbox"
)

// errPipe is the system's error for writing to a process that has ended.
const errPipe = syscall.EPIPE

// keepers reports whether this system has keepers.
const keepers = true

// A tree is a server's process with all that it starts. With a keeper, that is
// everything, daemons included, whatever becomes of goated; without, it is the
// process group, and what can be found below the process while it lives.
type tree struct {
	pid     int            // of the server, which leads a process group; 0 in a bubble, whose numbers mean nothing outside
	sandbox sandbox.Status // what confines it
	env     []string       // what that added to its environment

	keeper  *exec.Cmd
	control *os.File
	left    chan struct{} // closed when the keeper is reaped

	once    sync.Once   // of kill
	late    *time.Timer // of killKept, once kill was called
	ended   chan exit   // holds the server's end
	mu      sync.Mutex
	gone    bool // the server is reaped: its pid is nobody's, or another's
	refused refused
}

// below lists the processes that descend from pid, of all that there are.
func below(pid int) []int { return takeCensus().below(pid) }

// startTree starts a process without a keeper.
func startTree(cmd *exec.Cmd, policy *sandbox.Policy) (*tree, error) {
	isolate(cmd)
	t := &tree{ended: make(chan exit, 1)}
	started := make(chan error)
	go func() { // ends with the process
		// The thread that started the process is what it dies with, where the
		// system has that; so the thread must live as long.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		var held *sandbox.Sandbox
		var err error
		if policy != nil {
			held, err = sandbox.Start(cmd, *policy, t.refused.add)
		} else {
			err = cmd.Start()
		}
		if err != nil {
			started <- err
			return
		}
		t.pid = cmd.Process.Pid
		if held != nil {
			t.sandbox, t.env = held.Status, held.Env
		}
		started <- nil
		_ = cmd.Wait() // the state has it
		held.Close()
		status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
		t.reaped(exitOf(status))
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return t, nil
}

// startKept starts a process under a keeper: see [Keep]. Until that says so, it
// can be given up.
func startKept(ctx context.Context, c invocation, stdio [3]*os.File) (*tree, error) {
	ours, theirs, err := socketpair()
	if err != nil {
		return nil, fmt.Errorf("making a socket: %w", err)
	}
	argv := c.keeper
	if c.enclosed() {
		argv = c.bubble.Command(*c.policy, argv)
	}
	keeper := exec.Command(argv[0], argv[1:]...)
	keeper.Env = []string{"GOMAXPROCS=1", "GOGC=off", "GOMEMLIMIT=16MiB", "GORACE=atexit_sleep_ms=0"}
	keeper.ExtraFiles = append([]*os.File{theirs}, stdio[:]...)
	// It does not die with goated, but ends by the end of control: it has to sweep
	// first; and bubblewrap, if it died while it makes a bubble, would leave the
	// other half of itself waiting for ever.
	keeper.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	t := &tree{control: ours, keeper: keeper, left: make(chan struct{}), ended: make(chan exit, 1)}
	err = keeper.Start()
	_ = theirs.Close()
	if err != nil {
		_ = ours.Close()
		return nil, fmt.Errorf("%w: %w", errKeeper, err)
	}
	go func() { // ends with the keeper
		_ = keeper.Wait() // what it has to tell, it tells over control
		t.killKeeper()    // if it was bubblewrap alone that ended
		close(t.left)
	}()
	_ = ours.SetDeadline(time.Now().Add(keeperLimit))
	stop := context.AfterFunc(ctx, func() { _ = ours.SetDeadline(time.Now()) })
	err = json.NewEncoder(ours).Encode(order{Program: c.program, Args: c.args, Dir: c.dir, Env: c.env, Policy: c.policy})
	answers := json.NewDecoder(ours)
	var said report
	if err == nil {
		err = answers.Decode(&said)
	}
	if !stop() {
		err = ctx.Err() // and the deadline is past, or will be
	} else if err != nil {
		// The end of this stream is not that of the server's: see died.
		err = fmt.Errorf("%w: %v", errKeeper, err)
	} else {
		err = said.failure(c.program)
	}
	if err != nil {
		_ = ours.Close() // with which the keeper sweeps, if it has come so far, and ends
		late := time.AfterFunc(graceTerm, t.killKept)
		<-t.left
		late.Stop()
		return nil, err
	}
	_ = ours.SetDeadline(time.Time{})
	t.sandbox, t.env = said.Sandbox, said.Env
	if !c.enclosed() {
		t.pid, t.sandbox.Wrap = said.PID, c.bubble.Wrap // which is why not
	}
	go func() { // ends with the keeper
		for {
			last := report{Status: int(syscall.SIGKILL)} // of a keeper that was killed: its server dies with it
			if err := answers.Decode(&last); err == nil && last.Refused != nil {
				t.refused.add(*last.Refused)
				continue
			}
			t.reaped(exitOf(syscall.WaitStatus(last.Status)))
			return
		}
	}()
	return t, nil
}

// killKept does what the keeper does not.
func (t *tree) killKept() {
	for _, pid := range below(t.keeper.Process.Pid) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	t.killKeeper()
}

// killKeeper ends a keeper that does not end by itself, and both halves of
// bubblewrap with it: they are one group, in one moment.
func (t *tree) killKeeper() { _ = syscall.Kill(-t.keeper.Process.Pid, syscall.SIGKILL) }

func socketpair() (ours, theirs *os.File, err error) {
	syscall.ForkLock.RLock()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err == nil {
		unix.CloseOnExec(fds[0])
		unix.CloseOnExec(fds[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, nil, err
	}
	_ = unix.SetNonblock(fds[0], true) // so that it can have deadlines
	return os.NewFile(uintptr(fds[0]), "keeper"), os.NewFile(uintptr(fds[1]), "host"), nil
}

func (t *tree) reaped(e exit) {
	t.mu.Lock()
	t.gone = true
	t.mu.Unlock()
	t.ended <- e
}

// wait returns how the server ended. It is called once.
func (t *tree) wait() exit { return <-t.ended }

// terminate asks the server's group to end.
func (t *tree) terminate() {
	if t.keeper != nil { // who knows its number
		_ = json.NewEncoder(t.control).Encode(orderTerm)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.gone {
		_ = syscall.Kill(-t.pid, syscall.SIGTERM)
	}
}

// kill ends the tree. It may be called several times, and before or after the
// server's own end.
func (t *tree) kill() {
	t.once.Do(func() {
		if t.keeper != nil {
			// The keeper takes the end of this stream for its order to sweep; unless it
			// can't: a server without a sandbox may have stopped it.
			_ = unix.Shutdown(t.controlFD(), unix.SHUT_WR)
			t.late = time.AfterFunc(sweepLimit, t.killKept)
			return
		}
		t.mu.Lock()
		if !t.gone {
			for _, pid := range below(t.pid) {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		t.mu.Unlock()
	})
	if t.keeper == nil {
		// The group keeps its number as long as anyone is in it.
		_ = syscall.Kill(-t.pid, syscall.SIGKILL)
	}
}

func (t *tree) controlFD() int {
	fd := -1
	if raw, err := t.control.SyscallConn(); err == nil {
		_ = raw.Control(func(f uintptr) { fd = int(f) })
	}
	return fd
}

// release waits for the keeper, which has swept by then.
func (t *tree) release() {
	if t.keeper == nil {
		return
	}
	<-t.left
	t.late.Stop()
	_ = t.control.Close()
	if t.pid != 0 {
		_ = syscall.Kill(-t.pid, syscall.SIGKILL) // where the keeper itself was killed
	}
}

func exitOf(s syscall.WaitStatus) exit {
	if s.Signaled() {
		return exit{code: -1, signal: s.Signal().String()}
	}
	return exit{code: s.ExitStatus()}
}
