//go:build unix

package proc

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"goated/internal/sandbox"
	"goated/internal/sandbox/cgroup"
	"goated/internal/sandbox/hold"
)

// ErrPipe is the system's error for a write to a pipe that has no reader.
const ErrPipe = syscall.EPIPE

// HasKeepers reports whether this system uses keepers.
const HasKeepers = true

// A tree is a process with its descendants. With a keeper, it contains all of them, including
// daemons, and the keeper kills them even if goated is killed. Without one, it contains the process
// group and the descendants found while the process runs.
type tree struct {
	pid     int            // the server's, which leads a process group; 0 in a bubble, which has its own pids
	sandbox sandbox.Status // zero: none
	env     []string       // added by the sandbox

	keeper  *exec.Cmd
	control *os.File
	group   *cgroup.Group // the server's; nil: no group
	left    chan struct{} // closed when the keeper is reaped

	once    sync.Once   // of kill
	late    *time.Timer // runs killKept; set by kill
	ended   chan Exit   // receives the server's exit
	mu      sync.Mutex
	gone    bool // the server is reaped: its pid is free or reused
	refused refused
}

// below lists the descendants of pid by the process table.
func below(pid int) []int { return readProcTable().below(pid) }

// startTree starts a process without a keeper.
func startTree(cmd *exec.Cmd, policy *sandbox.Policy) (*tree, error) {
	isolate(cmd)
	t := &tree{ended: make(chan Exit, 1)}
	started := make(chan error)
	go func() { // ends with the process
		// On Linux the process dies with the thread that started it, so the thread must live as
		// long as the process.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		var box *sandbox.Sandbox
		var err error
		if policy != nil {
			box, err = sandbox.Start(cmd, *policy, t.refused.add)
		} else {
			err = cmd.Start()
		}
		if err != nil {
			started <- err
			return
		}
		t.pid = cmd.Process.Pid
		if box != nil {
			t.sandbox, t.env = box.Status, box.Env
		}
		started <- nil
		_ = cmd.Wait() // ProcessState has the result
		box.Close()
		status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
		t.reaped(exitOf(status))
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return t, nil
}

// startKept starts a process under a keeper; see [Keep]. It waits for the keeper's
// report until ctx ends.
func startKept(ctx context.Context, c Command, stdio [3]*os.File) (*tree, error) {
	ours, theirs, err := socketpair()
	if err != nil {
		return nil, fmt.Errorf("making a socket: %w", err)
	}
	argv := c.Keeper
	files := append([]*os.File{theirs}, stdio[:]...)
	if f := openFile(argv[0]); f != nil {
		defer f.Close()
		files, argv = append(files, f), append([]string{inherited}, argv[1:]...)
	}
	if c.InBubble() {
		argv = c.Bubble.Command(*c.Policy, argv)
	}
	order := keeperCommand{Program: c.Program, Args: c.Args, Dir: c.Dir, Env: c.Env, Policy: c.Policy}
	group := c.group()
	if group != nil {
		policy := *c.Policy
		policy.System = append(slices.Clone(policy.System), group.Limits()...)
		order.Policy, order.Group, files = &policy, firstFile+len(files), append(files, group.Procs())
	}
	keeper := exec.Command(argv[0], argv[1:]...)
	keeper.Env = []string{"GOMAXPROCS=1", "GOGC=off", "GOMEMLIMIT=16MiB", "GORACE=atexit_sleep_ms=0"}
	keeper.ExtraFiles = files
	// The keeper must not die with goated: when control closes, it sweeps and then exits. Its own
	// session also matters for bubblewrap: if that is killed while it sets up, it leaves its other
	// half waiting forever.
	keeper.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	t := &tree{control: ours, keeper: keeper, group: group, left: make(chan struct{}), ended: make(chan Exit, 1)}
	err = keeper.Start()
	_ = theirs.Close()
	if err != nil {
		_ = ours.Close()
		group.Remove()
		return nil, fmt.Errorf("%w: %w", ErrKeeper, err)
	}
	go func() { // ends with the keeper
		_ = keeper.Wait() // it reports over control
		t.killKeeper()    // in case only bubblewrap exited
		close(t.left)
	}()
	_ = ours.SetDeadline(time.Now().Add(keeperLimit))
	stop := context.AfterFunc(ctx, func() { _ = ours.SetDeadline(time.Now()) })
	err = json.NewEncoder(ours).Encode(order)
	answers := json.NewDecoder(ours)
	var first keeperReport
	if err == nil {
		err = answers.Decode(&first)
	}
	if !stop() {
		err = ctx.Err()
	} else if err != nil {
		// %v hides io.EOF: it is not the end of the server's stream.
		err = fmt.Errorf("%w: %v", ErrKeeper, err)
	} else {
		err = first.failure(c.Program)
	}
	if err != nil {
		_ = ours.Close() // if the keeper has started the server, it sweeps; then it exits
		late := time.AfterFunc(graceTerm, t.killKept)
		<-t.left
		late.Stop()
		group.Remove()
		return nil, err
	}
	_ = ours.SetDeadline(time.Time{})
	t.sandbox, t.env = first.Sandbox, first.Env
	if !c.InBubble() {
		t.pid, t.sandbox.Wrap = first.PID, c.Bubble.Wrap // Wrap is the reason why there is no bubble
	}
	go t.hear(answers, c.Policy) // ends with the keeper
	return t, nil
}

// firstFile is the descriptor of the first of a keeper's extra files.
const firstFile = 3

// group creates the control group of a confined server. Without a group, each process has its own
// limits.
func (c Command) group() *cgroup.Group {
	if c.Policy == nil || c.Groups == nil {
		return nil
	}
	g, err := c.Groups.New(c.Policy.Limits)
	if err != nil {
		return nil // the card shows which limits are missing
	}
	return g
}

// hear reads the reports of a keeper until its server has exited.
func (t *tree) hear(reports *json.Decoder, policy *sandbox.Policy) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for {
		last := keeperReport{Status: int(syscall.SIGKILL)} // used if the keeper was killed: its server dies with it
		err := reports.Decode(&last)
		switch {
		case err == nil && last.Refused != nil:
			t.refused.add(*last.Refused)
			continue
		case err == nil && last.Asks != "":
			host := last.Asks
			policy.Ask(ctx, host, func(a hold.Answer) {
				_ = json.NewEncoder(t.control).Encode(keeperOrder{Host: host, Answer: a}) // fails if the keeper has exited
			})
			continue
		}
		exit := exitOf(syscall.WaitStatus(last.Status))
		exit.OutOfMemory = t.group.OutOfMemory()
		t.reaped(exit)
		return
	}
}

// killKept kills the tree of a keeper that fails to do so itself.
func (t *tree) killKept() {
	for _, pid := range below(t.keeper.Process.Pid) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	t.killKeeper()
}

// killKeeper kills a keeper that does not exit, together with both halves of bubblewrap, which are
// in the same process group.
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
	_ = unix.SetNonblock(fds[0], true) // for deadlines
	return os.NewFile(uintptr(fds[0]), "keeper"), os.NewFile(uintptr(fds[1]), "host"), nil
}

func (t *tree) reaped(e Exit) {
	t.mu.Lock()
	t.gone = true
	t.mu.Unlock()
	t.ended <- e
}

// wait waits for the server to exit. It is called once.
func (t *tree) wait() Exit { return <-t.ended }

// terminate asks the server's process group to exit.
func (t *tree) terminate() {
	if t.keeper != nil { // the keeper has the server's pid
		_ = json.NewEncoder(t.control).Encode(keeperOrder{Terminate: true})
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.gone {
		_ = syscall.Kill(-t.pid, syscall.SIGTERM)
	}
}

// kill kills the tree. It may be called several times, before or after the server has exited.
func (t *tree) kill() {
	t.once.Do(func() {
		if t.keeper != nil {
			// When this stream ends, the keeper sweeps. killKept is for the case that a server
			// without a sandbox has stopped its keeper.
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
		// The group's number is not reused while the group has a member.
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

// release waits for the keeper to exit. By then it has swept.
func (t *tree) release() {
	if t.keeper == nil {
		return
	}
	<-t.left
	t.late.Stop()
	_ = t.control.Close()
	if t.pid != 0 {
		_ = syscall.Kill(-t.pid, syscall.SIGKILL) // in case the keeper was killed
	}
	t.group.Remove()
}

func exitOf(s syscall.WaitStatus) Exit {
	if s.Signaled() {
		return Exit{Code: -1, Signal: s.Signal().String()}
	}
	return Exit{Code: s.ExitStatus()}
}
