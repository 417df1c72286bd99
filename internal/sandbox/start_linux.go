//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
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
		if err := enter(); err != nil {
			return nil, err
		}
	}
	p.prepare()
	n := &nursery{cmd: cmd, policy: p, stopped: make(chan struct{}), limited: make(chan error), born: make(chan error, 1)}
	if s.Files {
		fd, err := ruleset(p, s.Status)
		if err != nil {
			return nil, err
		}
		defer unix.Close(fd)
		n.rules = fd
	}
	if p.Bubble {
		s.Wrap, s.Signals = Wrapped, true // there is nobody else whom a signal reaches
	}
	s.Env = p.variables()
	var network *connector
	if p.connects(s.Status) {
		proxy, err := newProxy(hosts(p.Hosts), s.refuse)
		if err != nil {
			return nil, err
		}
		s.beside = append(s.beside, proxy.close)
		s.Env = append(s.Env, proxy.variables()...)
		network = &connector{proxy: proxy, refused: s.refuse, desktop: p.Desktop, room: make(chan struct{}, maxConnects), over: make(chan struct{})}
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
		s.beside = append([]func(){newDeputy(n.listener, pid, p, network).close}, s.beside...)
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

// begin has the process begin.
func (n *nursery) begin() error {
	cmd := n.cmd
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	// Files without close-on-exec come from whoever started goated.
	if err := unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC); err != nil && !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.EINVAL) {
		return fmt.Errorf("closing files to the server: %w", err)
	}
	// The system finds out once how it starts processes; not from a thread that
	// may do nothing.
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Release()
	}
	go n.run() // attend waits for its word, and it ends with the child's start or the child
	return n.attend()
}

// enter makes sure that this process is the first of a bubble, whose /proc may be
// opened. It hides its own memory, files and environment there: the thread that
// confines itself is in the domain of what it starts, for which Landlock would
// let these be read.
func enter() error {
	if self, err := os.Readlink("/proc/self"); os.Getpid() != 1 || err != nil || self != "1" {
		return errors.New("starting in a bubble: this process is not the first of one")
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("hiding from the server: %w", err)
	}
	return nil
}

// A nursery is a thread that confines itself and has one child.
type nursery struct {
	cmd    *exec.Cmd
	policy Policy
	rules  int
	status Status
	// connects is that a deputy will connect for it, if there is one.
	connects bool

	stopped chan struct{} // closed when the child is held before its first instruction
	limited chan error    // the child's limits are set
	born    chan error    // the child runs, or does not

	listener int // of the filter, 0 if it has none; read after stopped or born
}

// attend does for the child what its confined parent cannot.
func (n *nursery) attend() error {
	select {
	case <-n.stopped:
		n.limited <- limit(n.cmd.Process.Pid, n.policy.Limits)
		return <-n.born
	case err := <-n.born:
		if err != nil {
			return err
		}
		// It could not be held, and its limits come a moment late.
		_ = limit(n.cmd.Process.Pid, n.policy.Limits)
	}
	return nil
}

func (n *nursery) run() {
	runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
	if unix.Gettid() == os.Getpid() {
		// The first thread cannot end. It waits while another is taken.
		defer runtime.UnlockOSThread()
		done := make(chan struct{})
		go func() { defer close(done); n.run() }()
		<-done
		return
	}
	if err := n.confine(); err != nil {
		n.born <- err
		return
	}
	if err := n.start(); err != nil {
		n.born <- err
		return
	}
	pid, stay := n.cmd.Process.Pid, n.cmd.SysProcAttr.Pdeathsig != 0
	n.born <- nil
	for stay {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOWAIT, nil)
		stay = errors.Is(err, unix.EINTR)
	}
}

// start starts the child, and holds it before its first instruction until its
// limits are set: they would come late otherwise.
func (n *nursery) start() error {
	n.cmd.SysProcAttr.Ptrace = n.status.Limits
	err := n.cmd.Start()
	n.cmd.SysProcAttr.Ptrace = false
	if err != nil || !n.status.Limits {
		return err
	}
	pid := n.cmd.Process.Pid
	var ws unix.WaitStatus
	for {
		_, err = unix.Wait4(pid, &ws, 0, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if err == nil {
		close(n.stopped)
		err = <-n.limited
		if derr := unix.PtraceDetach(pid); err == nil && derr != nil {
			err = fmt.Errorf("letting the server go: %w", derr)
		}
	} else {
		err = fmt.Errorf("holding the server: %w", err)
	}
	if err != nil {
		_ = n.cmd.Process.Kill()
		_ = n.cmd.Wait() // it was killed
	}
	return err
}

// confine confines the thread it runs on, and all that comes of it.
func (n *nursery) confine() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("giving up privileges: %w", err)
	}
	if err := dropCapabilities(); err != nil {
		return err
	}
	if n.status.Files {
		if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(n.rules), 0, 0); errno != 0 {
			return fmt.Errorf("entering the Landlock sandbox: %w", errno)
		}
	}
	if !n.status.Calls {
		return nil
	}
	// There is one listener for a process and all that come of it: inside of
	// somebody else's, there is no deputy.
	// Once the deputy is at work, only a signal that kills interrupts the caller:
	// what is done could not be done again. Kernels before 5.19 do not know that.
	fd, err := n.filter(true, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER|unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV)
	if errors.Is(err, unix.EINVAL) {
		fd, err = n.filter(true, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER)
	}
	if err == nil {
		n.listener = fd
		return nil
	}
	if _, err = n.filter(false, 0); err != nil {
		return fmt.Errorf("filtering system calls: %w", err)
	}
	return nil
}

// filter sets the filter of the thread it runs on.
func (n *nursery) filter(deputy bool, flags uintptr) (int, error) {
	// Whoever starts it may be somebody's helper, whom it must not touch either.
	all := calls(n.policy, []int{os.Getpid(), os.Getppid()}, unix.Gettid(), deputy, deputy && n.connects)
	if deputy && !n.policy.Bubble && !landlockSignals(n.status.Landlock) {
		all = append(all, signals()...)
	}
	program, err := assemble(all)
	if err != nil {
		return -1, err
	}
	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&filter)))
	if errno != 0 {
		return -1, errno
	}
	return int(fd), nil
}

// dropCapabilities makes root an ordinary user who owns root's files.
func dropCapabilities() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var have, none [2]unix.CapUserData
	if err := unix.Capget(&header, &have[0]); err != nil {
		return fmt.Errorf("looking at capabilities: %w", err)
	}
	if have == none {
		return nil
	}
	for c := uintptr(0); c <= unix.CAP_LAST_CAP; c++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.EPERM) {
			return fmt.Errorf("giving up capabilities: %w", err)
		}
	}
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) // kernels before 4.3 have none
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("giving up capabilities: %w", err)
	}
	return nil
}
