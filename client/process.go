package client

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
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

// A process is one spawned server with its pipes. Everything that it starts is
// in its process group and ends with it.
type process struct {
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File
	stderr *tail

	exited chan struct{} // closed when the process is reaped and its group killed
	err    error         // how it exited; read after exited
	read   chan struct{} // closed when stderr is drained
}

// spawn starts a program. Its errors are about the program and the system, and
// name neither arguments nor environment. start takes the place of cmd.Start.
func spawn(program string, l Launch, env []string, start func(*exec.Cmd) error) (*process, error) {
	cmd := exec.Command(program, l.Args...) // its life is the connection's, not a call's
	cmd.Dir = l.Dir
	cmd.Env = env
	isolate(cmd)

	p := &process{cmd: cmd, stderr: new(tail), exited: make(chan struct{}), read: make(chan struct{})}
	var theirs [3]*os.File
	var err error
	if theirs[0], p.stdin, err = os.Pipe(); err != nil {
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	if p.stdout, theirs[1], err = os.Pipe(); err != nil {
		closeAll(theirs[0], p.stdin)
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	var stderr *os.File
	if stderr, theirs[2], err = os.Pipe(); err != nil {
		closeAll(theirs[0], p.stdin, p.stdout, theirs[1])
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs[0], theirs[1], theirs[2]
	err = start(cmd)
	closeAll(theirs[:]...)
	if err != nil {
		closeAll(p.stdin, p.stdout, stderr)
		return nil, err
	}

	go func() { // ends with stderr, which reap closes at the latest
		defer close(p.read)
		_, _ = io.Copy(p.stderr, stderr)
	}()
	go p.reap(stderr)
	return p, nil
}

// reap waits for the process, ends what it left behind, and makes sure that
// nobody waits for its pipes any more.
func (p *process) reap(stderr *os.File) {
	p.err = p.cmd.Wait()
	killGroup(p.cmd)
	select {
	case <-p.read:
	case <-time.After(graceDrain): // a daemon of its own holds the pipe
	}
	_ = stderr.Close()
	<-p.read
	close(p.exited)
}

// stop ends the process and its group, and returns when both are gone. It takes
// graceEOF + graceTerm + graceDrain at most, plus what the system needs to kill.
func (p *process) stop() {
	_ = p.stdin.Close()
	if p.wait(graceEOF) {
		return
	}
	terminateGroup(p.cmd)
	if p.wait(graceTerm) {
		return
	}
	killGroup(p.cmd)
	<-p.exited
}

func (p *process) wait(d time.Duration) bool {
	select {
	case <-p.exited:
		return true
	case <-time.After(d):
		return false
	}
}

// program finds the first installed candidate of a launch. Python scripts are
// run by the virtual environment beside them, if there is one: that is where
// their modules are.
func program(l Launch, script string) (string, error) {
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
		path, err := exec.LookPath(name)
		if err == nil {
			return path, nil
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
