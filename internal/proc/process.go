package proc

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"goated/internal/sandbox"
)

// These are the times that a server has for each step of its shutdown. "The client SHOULD initiate
// shutdown by closing the input stream to the child process, waiting for the server to exit, or
// sending SIGTERM if the server does not exit within a reasonable time, sending SIGKILL if the
// server does not exit within a reasonable time after SIGTERM" (MCP, Lifecycle, stdio).
const (
	graceEOF  = 700 * time.Millisecond
	graceTerm = time.Second
	// GraceDrain is how long goated still reads the pipes of an exited process, because a
	// descendant may hold them open.
	GraceDrain = 200 * time.Millisecond
)

// A Process is one started program with its pipes. [Process.Stop] ends it and
// all its descendants.
type Process struct {
	Stdin  *Stdin
	Stdout *os.File // the reader closes it
	Stderr *LogRing
	Began  time.Time

	errors *os.File // our end of stderr's pipe

	tree  *tree
	stop  sync.Once
	ended chan struct{} // closed when the process is reaped
	done  chan struct{} // closed when the process is reaped and its tree killed
	exit  Exit          // valid after done
	read  chan struct{} // closed when stderr is drained
}

// Start starts a program. It waits for the start until ctx ends; after the start, ctx has no
// effect. The error is ctx's, or names the program and the system's error. It never contains
// arguments or environment variables.
func Start(ctx context.Context, c Command, stderr *LogRing) (*Process, error) {
	p := &Process{Stderr: stderr, Began: time.Now(), ended: make(chan struct{}), done: make(chan struct{}), read: make(chan struct{})}
	var theirs [3]*os.File
	var in, out *os.File
	var err error
	if theirs[0], in, err = os.Pipe(); err != nil {
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	if p.Stdout, theirs[1], err = os.Pipe(); err != nil {
		closeAll(theirs[0], in)
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	if out, theirs[2], err = os.Pipe(); err != nil {
		closeAll(theirs[0], in, p.Stdout, theirs[1])
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	p.tree, err = start(ctx, c, theirs)
	closeAll(theirs[:]...)
	if err != nil {
		closeAll(in, p.Stdout, out)
		return nil, err
	}
	p.Stdin, p.errors = newStdin(in), out
	go func() { // ends when reap closes stderr, at the latest
		defer close(p.read)
		_, _ = io.Copy(p.Stderr, out)
	}()
	go p.reap()
	return p, nil
}

// start is the only function that starts a server's process.
func start(ctx context.Context, c Command, stdio [3]*os.File) (*tree, error) {
	if len(c.Keeper) > 0 && HasKeepers {
		return startKept(ctx, c, stdio)
	}
	cmd := exec.Command(c.Program, c.Args...) // not CommandContext: the process outlives the call
	cmd.Dir, cmd.Env = c.Dir, c.Env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdio[0], stdio[1], stdio[2]
	return startTree(cmd, c.Policy)
}

// StartTree starts cmd without a keeper and without a sandbox. The returned
// function kills the process with all its descendants and waits for it.
func StartTree(cmd *exec.Cmd) (end func(), err error) {
	t, err := startTree(cmd, nil)
	if err != nil {
		return nil, err
	}
	return func() {
		t.kill()
		t.wait()
		t.release()
	}, nil
}

// reap waits for the process, kills its remaining descendants, and closes
// stderr.
func (p *Process) reap() {
	p.exit = p.tree.wait()
	close(p.ended)
	p.tree.kill()
	p.tree.release()
	select {
	case <-p.read:
	case <-time.After(GraceDrain): // a daemon of the server holds the pipe
	}
	_ = p.errors.Close()
	<-p.read
	close(p.done)
}

// Stop ends the process and its tree, and returns when both are gone. It takes at most graceEOF +
// graceTerm + GraceDrain, plus the time that the system needs to kill. It may be called several
// times and concurrently. Each process receives SIGTERM only once, because many servers treat a
// second signal as a request to exit at once.
func (p *Process) Stop() { p.stop.Do(p.end) }

func (p *Process) end() {
	_ = p.Stdin.Close()
	if within(p.done, graceEOF) {
		return
	}
	p.tree.terminate()
	if within(p.done, graceTerm) {
		return
	}
	p.tree.kill()
	<-p.done
}

// Done is closed when the process is reaped and its tree is gone.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit returns how the process exited. It is valid once Done is closed.
func (p *Process) Exit() Exit { return p.exit }

// OutOfMemory reports whether the process has ended because of its limit of memory.
func (p *Process) OutOfMemory() bool { return within(p.done, 0) && p.exit.OutOfMemory }

// EndsWithin waits up to d for the process to exit, and reports whether it did.
// Descendants may still run.
func (p *Process) EndsWithin(d time.Duration) bool { return within(p.ended, d) }

// Sandbox returns the sandbox that confines the process; zero if there is none.
func (p *Process) Sandbox() sandbox.Status { return p.tree.sandbox }

// AddedEnv lists the variables that the sandbox added to the environment.
func (p *Process) AddedEnv() []string { return p.tree.env }

// Refused lists what the sandbox has refused so far.
func (p *Process) Refused() []sandbox.Permission { return p.tree.refused.list(false) }

// Unanswered lists the hosts that the process may reach and that did not answer it so far.
func (p *Process) Unanswered() []sandbox.Permission { return p.tree.refused.list(true) }

// WatchRefused calls changed after each new refusal, and at once if there were
// any. changed must not block.
func (p *Process) WatchRefused(changed func()) { p.tree.refused.watch(changed) }

func within(done <-chan struct{}, d time.Duration) bool {
	select {
	case <-done:
		return true
	default:
	}
	limit := time.NewTimer(d)
	defer limit.Stop()
	select {
	case <-done:
		return true
	case <-limit.C:
		return false
	}
}

// An Exit is how a process exited. The zero value is a success.
type Exit struct {
	Code   int    // -1 if a signal ended the process
	Signal string // the signal's name; empty if none ended it

	OutOfMemory bool // Linux ended it because all its processes together reached their limit of memory
}

// bySignal is the prefix of [Exit.String] for a process that a signal ended.
const bySignal = "signal: "

func (e Exit) String() string {
	if e.Signal != "" {
		return bySignal + e.Signal
	}
	return fmt.Sprintf("exit status %d", e.Code)
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}
