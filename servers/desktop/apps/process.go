package apps

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Running reports whether a process exists.
func Running(pid int) bool {
	return stat(pid).runs()
}

// Name returns the name of a process's program, or "" if it is unknown.
func Name(pid int) string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// Program returns the path of a process's program, or "" if it is unknown.
func Program(pid int) string {
	path, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil {
		return ""
	}
	return path
}

// A status contains fields of /proc/PID/stat. It is the zero value if the process does not exist.
type status struct {
	state   string // a single letter
	parent  int    // PID of the parent process
	session int
}

func (s status) runs() bool { return s.state != "" && s.state != "Z" }

func stat(pid int) status { return statIn(fmt.Sprintf("/proc/%d", pid)) }

// statIn is like stat for a folder of a process or a thread.
func statIn(dir string) status {
	b, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return status{}
	}
	f := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	if len(f) < 4 {
		return status{}
	}
	s := status{state: f[0]}
	s.parent, _ = strconv.Atoi(f[1])
	s.session, _ = strconv.Atoi(f[3])
	return s
}

// Busy reports whether a thread of a process is running, waiting for a processor, or waiting for a
// disk. Many programs handle input on another thread than the first. Busy returns false if this is
// unknown.
func Busy(pid int) bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid)) // the pattern is well formed
	return slices.ContainsFunc(threads, func(dir string) bool {
		state := statIn(dir).state
		return state == "R" || state == "D"
	})
}

const (
	// restful is how many checks in a row must find a process idle, and rest is the time between
	// two checks.
	restful = 3
	rest    = 10 * time.Millisecond
)

// WaitIdle waits until a process is idle, but at most for limit, and reports whether it is. If ctx ends
// first, it returns the cause.
func WaitIdle(ctx context.Context, pid int, limit time.Duration) (bool, error) {
	quiet := 0
	for end := time.Now().Add(limit); quiet < restful && time.Now().Before(end); quiet++ {
		began := time.Now()
		select {
		case <-time.After(rest):
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
		// If the pause took longer, the processors are busy, and the program may be waiting for
		// one.
		if Busy(pid) || time.Since(began) > 2*rest {
			quiet = -1
		}
	}
	return quiet == restful, nil
}

// IsDescendant reports whether a process was started by ancestor, directly or indirectly.
func IsDescendant(pid, ancestor int) bool {
	for range 64 {
		if pid == ancestor {
			return true
		}
		parent := stat(pid).parent
		if parent <= 1 {
			return false
		}
		pid = parent
	}
	return false
}

// maxErrorOutput is how many bytes of a program's error output are kept.
const maxErrorOutput = 2 << 10

// A Process is a program that Start or FromPID returned.
type Process struct {
	PID  int
	Done <-chan struct{} // closed when the program has ended

	stderr *os.File // a file, because a pipe would end the program when goated exits

	// For a program that another process started; see [FromPID].
	below  func(pid int) bool
	forget func()

	mu  sync.Mutex
	err error
	how string // how it ended, if another process started it
}

// Start starts a program that keeps running when goated exits. It keeps the program's error output
// while goated is running.
func Start(args, env []string, dir string) (*Process, error) {
	path, err := exec.LookPath(args[0])
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", args[0], err)
	}
	cmd := exec.Command(path, args[1:]...)
	cmd.Env, cmd.Dir = env, dir
	if dir == "" {
		cmd.Dir, _ = os.UserHomeDir()
	}
	separate(cmd)
	p := &Process{}
	if p.stderr, err = os.CreateTemp("", "goated-app-"); err != nil {
		return nil, err
	}
	_ = os.Remove(p.stderr.Name())
	cmd.Stderr = p.stderr
	if err := cmd.Start(); err != nil {
		_ = p.stderr.Close()
		return nil, fmt.Errorf("starting %s: %w", args[0], err)
	}
	p.PID = cmd.Process.Pid
	done := make(chan struct{})
	p.Done = done
	go func() {
		err := cmd.Wait()
		p.mu.Lock()
		p.err = err
		p.mu.Unlock()
		close(done)
	}()
	return p, nil
}

// End returns how the program ended and its last error output. Call it once, after Done is closed.
func (p *Process) End() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stderr == nil {
		return p.how
	}
	how := "it ended"
	if p.err != nil {
		how = p.err.Error()
	}
	b := make([]byte, maxErrorOutput)
	if info, err := p.stderr.Stat(); err == nil {
		n, _ := p.stderr.ReadAt(b, max(0, info.Size()-maxErrorOutput))
		b = b[:n]
	} else {
		b = nil
	}
	_ = p.stderr.Close()
	if text := strings.TrimSpace(strings.ToValidUTF8(string(b), "")); text != "" {
		how += ": " + text
	}
	return how
}

// Forget discards the program's error output. The program keeps running.
func (p *Process) Forget() {
	if p.forget != nil {
		p.forget()
		return
	}
	_ = p.stderr.Close()
}

// DesktopArgs adds the arguments that a program needs on a desktop that goated operates. Chromium exposes
// its elements only with such an argument.
func DesktopArgs(args []string) []string {
	name := filepath.Base(args[0])
	for _, browser := range []string{"chromium", "google-chrome", "brave", "microsoft-edge", "vivaldi"} {
		if strings.HasPrefix(name, browser) {
			return slices.Concat(args[:1], []string{"--force-renderer-accessibility"}, args[1:])
		}
	}
	return args
}
