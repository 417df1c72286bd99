//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"os"
	"os/exec"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Probe says what this kernel can enforce now. It takes some ten microseconds.
func Probe() Status {
	s := Status{Landlock: landlockABI(), Limits: traceable(), Root: os.Getuid() == 0}
	s.Files = s.Landlock > 0
	action := uint32(unix.SECCOMP_RET_ERRNO)
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	s.Calls = errno == 0
	action = unix.SECCOMP_RET_USER_NOTIF // for a deputy
	_, _, errno = unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	s.Signals = landlockSignals(s.Landlock) || errno == 0
	// The deputy takes a socket as a debugger would.
	s.Hosts = s.Calls && s.Limits
	return s
}

// connects reports whether a deputy holds the process to its hosts. Without
// Landlock's word on TCP, none can where the process has sockets of files, too:
// see connector.do.
func (p Policy) connects(s Status) bool {
	return p.Network == NamedHosts && s.Hosts && (!p.Desktop || s.Landlock >= 4)
}

// traceable reports whether a child can be held by ptrace: not if goated itself
// is being debugged, with all that it starts, or the system forbids it.
func traceable() bool {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil || !bytes.Contains(status, []byte("TracerPid:\t0\n")) {
		return false
	}
	scope, err := os.ReadFile("/proc/sys/kernel/yama/ptrace_scope")
	return err != nil || bytes.Equal(bytes.TrimSpace(scope), []byte("0")) || bytes.Equal(bytes.TrimSpace(scope), []byte("1"))
}

// Start starts cmd under p, and says what of it the kernel enforces; that may
// be nothing, see [Probe]. It takes the place of cmd.Start: everything else of
// cmd is the caller's as before. The folders that p has written are made, and
// STATE_DIRECTORY and TMPDIR are set to its own.
//
// The new process is in no way able to undo it, and neither are its children.
// What goated itself inherited of open files is closed to it. What is beside it,
// for its modes and its network, is in the [Sandbox], which is to be closed.
//
// What it tries to reach and may not is told to refused, if that is not nil: each
// host once, from any goroutine, until Close.
//
// With SysProcAttr.Pdeathsig, the thread that made the process lives until it
// ends, since the kernel takes the thread's end for the parent's.
func Start(cmd *exec.Cmd, p Policy, refused func(Permission)) (*Sandbox, error) {
	return Probe().start(cmd, p, refused)
}

// start enforces what status has, of what the kernel has.
func (status Status) start(cmd *exec.Cmd, p Policy, refused func(Permission)) (*Sandbox, error) {
	s := newSandbox(status, refused)
	if p.Bubble {
		if err := enterBubble(); err != nil {
			return nil, err
		}
	}
	s.Env = p.environment() // as the user knows its folders
	p = p.prepare()
	n := &confiningThread{cmd: cmd, policy: p, stopped: make(chan struct{}), limited: make(chan error), started: make(chan error, 1)}
	if s.Files {
		fd, err := ruleset(p, s.Status)
		if err != nil {
			return nil, err
		}
		defer unix.Close(fd)
		n.rulesetFD = fd
	}
	if p.Bubble {
		s.Wrap, s.Signals = Wrapped, true // there is nobody else whom a signal reaches
	}
	var network *connector
	if p.connects(s.Status) {
		proxy, err := newProxy(parseHosts(p.Hosts), s.reportRefused)
		if err != nil {
			return nil, err
		}
		s.cleanups = append(s.cleanups, proxy.close)
		s.Env = append(s.Env, proxy.environment()...)
		network = &connector{proxy: proxy, refused: s.reportRefused, desktop: p.Desktop, slots: make(chan struct{}, maxConnects), stopped: make(chan struct{})}
		n.connects = true
	}
	cmd.Env = append(cmd.Environ(), s.Env...)
	n.status = s.Status
	err := n.begin()
	pid := 0
	if cmd.Process != nil { // it was started
		pid = cmd.Process.Pid
	}
	if n.listener != 0 {
		s.cleanups = append([]func(){newNotifier(n.listener, pid, p, network).close}, s.cleanups...)
	} else {
		s.Hosts = false // and the process has no sockets
		s.Signals = p.Bubble || landlockSignals(s.Landlock)
	}
	if p.Network == NamedHosts && network == nil {
		s.Hosts = false
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}
