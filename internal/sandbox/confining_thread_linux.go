//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A confiningThread is a thread that confines itself and has one child.
type confiningThread struct {
	cmd       *exec.Cmd
	policy    Policy
	rulesetFD int
	status    Status
	// connects is that a deputy will connect for it, if there is one.
	connects bool

	stopped chan struct{} // closed when the child is held before its first instruction
	limited chan error    // the child's limits are set
	started chan error    // the child runs, or does not

	listener int // of the filter, 0 if it has none; read after stopped or born
}

// begin has the process begin.
func (n *confiningThread) begin() error {
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
	return n.limitChild()
}

// enterBubble makes sure that this process is the first of a bubble, whose /proc may be
// opened. It hides its own memory, files and environment there: the thread that
// confines itself is in the domain of what it starts, for which Landlock would
// let these be read.
func enterBubble() error {
	if self, err := os.Readlink("/proc/self"); os.Getpid() != 1 || err != nil || self != "1" {
		return errors.New("starting in a bubble: this process is not the first of one")
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("hiding from the server: %w", err)
	}
	return nil
}

// limitChild does for the child what its confined parent cannot.
func (n *confiningThread) limitChild() error {
	select {
	case <-n.stopped:
		n.limited <- applyLimits(n.cmd.Process.Pid, n.policy.Limits)
		return <-n.started
	case err := <-n.started:
		if err != nil {
			return err
		}
		// It could not be held, and its limits come a moment late.
		_ = applyLimits(n.cmd.Process.Pid, n.policy.Limits)
	}
	return nil
}

func (n *confiningThread) run() {
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
		n.started <- err
		return
	}
	if err := n.start(); err != nil {
		n.started <- err
		return
	}
	pid, stay := n.cmd.Process.Pid, n.cmd.SysProcAttr.Pdeathsig != 0
	n.started <- nil
	for stay {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, pid, &info, unix.WEXITED|unix.WNOWAIT, nil)
		stay = errors.Is(err, unix.EINTR)
	}
}

// start starts the child, and holds it before its first instruction until its
// limits are set: they would come late otherwise.
func (n *confiningThread) start() error {
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
func (n *confiningThread) confine() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("giving up privileges: %w", err)
	}
	if err := dropCapabilities(); err != nil {
		return err
	}
	if n.status.Files {
		if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(n.rulesetFD), 0, 0); errno != 0 {
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
func (n *confiningThread) filter(deputy bool, flags uintptr) (int, error) {
	// Whoever starts it may be somebody's helper, whom it must not touch either.
	all := policyRules(n.policy, []int{os.Getpid(), os.Getppid()}, unix.Gettid(), deputy, deputy && n.connects)
	if deputy && !n.policy.Bubble && !landlockSignals(n.status.Landlock) {
		all = append(all, signalRules()...)
	}
	if n.status.Files && n.status.Landlock < 3 {
		all = append(all, truncateRules()...)
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
