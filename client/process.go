package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"goated/internal/sandbox"
)

// How long a server has at each step of its end. "The client SHOULD initiate
// shutdown by closing the input stream to the child process, waiting for the
// server to exit, or sending SIGTERM if the server does not exit within a
// reasonable time, sending SIGKILL if the server does not exit within a
// reasonable time after SIGTERM" (MCP, Lifecycle, stdio).
const (
	graceEOF  = 700 * time.Millisecond
	graceTerm = time.Second
	// graceDrain is how long the pipes of an exited server are read on, in case
	// a child of its own holds them open.
	graceDrain = 200 * time.Millisecond
)

// An invocation is what one process of a server is started from.
type invocation struct {
	program string   // an absolute path
	args    []string // without the program
	dir     string   // empty means the host's
	env     []string
	keeper  []string        // see [Options.Keeper]
	policy  *sandbox.Policy // of its sandbox; nil: it has none
	bubble  sandbox.Bubble  // around its keeper, where policy says so
	typed   []string        // what a person would type for it; nil: the program with its arguments
}

// argv is the command as it is run, for people.
func (c invocation) argv() []string {
	if c.typed != nil {
		return c.typed
	}
	return append([]string{c.program}, c.args...)
}

// enclosed reports whether it runs in a bubble.
func (c invocation) enclosed() bool { return c.policy != nil && c.policy.Bubble }

// A process is one spawned server with its pipes. What it starts ends with it:
// see [tree].
type process struct {
	tree   *tree
	stdin  *stdin
	stdout *os.File
	stderr *tail

	began  time.Time
	ended  chan struct{} // closed when the process is reaped
	exited chan struct{} // closed when the process is reaped and its tree killed
	exit   exit          // how it exited; read after exited
	read   chan struct{} // closed when stderr is drained
}

// spawn starts a program, and waits for that until ctx ends; the process's life is
// the connection's. Its errors are those of ctx, or about the program and the
// system, and name neither arguments nor environment.
func spawn(ctx context.Context, c invocation, stderr *tail) (*process, error) {
	p := &process{stderr: stderr, began: time.Now(), ended: make(chan struct{}), exited: make(chan struct{}), read: make(chan struct{})}
	var theirs [3]*os.File
	var in, out *os.File
	var err error
	if theirs[0], in, err = os.Pipe(); err != nil {
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	if p.stdout, theirs[1], err = os.Pipe(); err != nil {
		closeAll(theirs[0], in)
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	if out, theirs[2], err = os.Pipe(); err != nil {
		closeAll(theirs[0], in, p.stdout, theirs[1])
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	p.tree, err = start(ctx, c, theirs)
	closeAll(theirs[:]...)
	if err != nil {
		closeAll(in, p.stdout, out)
		return nil, err
	}
	p.stdin = newStdin(in)
	go func() { // ends with stderr, which reap closes at the latest
		defer close(p.read)
		_, _ = io.Copy(p.stderr, out)
	}()
	go p.reap(out)
	return p, nil
}

// start is the one place where a process of a server begins: the command is
// final here, and what it starts will be in the tree.
func start(ctx context.Context, c invocation, stdio [3]*os.File) (*tree, error) {
	if len(c.keeper) > 0 && keepers {
		return startKept(ctx, c, stdio)
	}
	cmd := exec.Command(c.program, c.args...) // its life is the connection's, not a call's
	cmd.Dir, cmd.Env = c.dir, c.env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdio[0], stdio[1], stdio[2]
	return startTree(cmd, c.policy)
}

// reap waits for the process, ends what it left behind, and makes sure that
// nobody waits for its pipes any more.
func (p *process) reap(stderr *os.File) {
	p.exit = p.tree.wait()
	close(p.ended)
	p.tree.kill()
	p.tree.release()
	select {
	case <-p.read:
	case <-time.After(graceDrain): // a daemon of its own holds the pipe
	}
	_ = stderr.Close()
	<-p.read
	close(p.exited)
}

// stop ends the process and its tree, and returns when both are gone. It takes
// graceEOF + graceTerm + graceDrain at most, plus what the system needs to kill.
func (p *process) stop() {
	_ = p.stdin.Close()
	if p.wait(graceEOF) {
		return
	}
	p.tree.terminate()
	if p.wait(graceTerm) {
		return
	}
	p.tree.kill()
	<-p.exited
}

func (p *process) wait(d time.Duration) bool { return within(p.exited, d) }

// died is wait for the process alone, whose tree may take longer to sweep up.
func (p *process) died(d time.Duration) bool { return within(p.ended, d) }

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

// An exit is how a process ended.
type exit struct {
	code   int    // -1 where a signal ended it
	signal string // its name, where one did
}

// bySignal begins the words for the end by a signal.
const bySignal = "signal: "

func (e exit) String() string {
	if e.signal != "" {
		return bySignal + e.signal
	}
	return fmt.Sprintf("exit status %d", e.code)
}

// program finds the first installed candidate of a launch on a search path.
// Python scripts are run by the virtual environment beside them, if there is
// one: that is where their modules are.
func program(l Launch, script, path string) (string, error) {
	if strings.HasSuffix(script, ".py") {
		for _, in := range []string{"bin/python3", "Scripts/python.exe"} {
			venv := filepath.Join(filepath.Dir(script), ".venv", filepath.FromSlash(in))
			if _, err := os.Stat(venv); err == nil {
				return venv, nil
			}
		}
	}
	var first error
	for _, name := range l.Programs {
		found, err := lookPath(name, path)
		if err == nil {
			return found, nil
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		first = errors.New("no program to run")
	}
	return "", first
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}
