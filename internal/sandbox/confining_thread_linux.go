//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"goated/internal/sandbox/cgroup"
	"goated/internal/sandbox/limit"
	"goated/internal/sandbox/tasks"
)

// A confiningThread is a thread that confines itself and starts one child.
type confiningThread struct {
	cmd    *exec.Cmd
	policy Policy
	rules  rulesets
	status Status
	// connects means that the notifier, if there is one, connects for the child.
	connects bool

	stopped chan struct{} // closed when the child is stopped before its first instruction
	limited chan error    // receives when the child's limits are set
	started chan error    // the result of the start

	private *privateNet // nil if the child uses the computer's network

	listener int  // of the filter; 0 if it has none; set before stopped or started
	sums     bool // the child is in its control group
}

// begin starts the child.
func (n *confiningThread) begin() error {
	cmd := n.cmd
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	// goated's parent may have left files open without close-on-exec.
	if err := unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC); err != nil && !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.EINVAL) {
		return fmt.Errorf("closing files to the server: %w", err)
	}
	// The os package probes for pidfd support once. It must not do that in the confined thread.
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Release()
	}
	closeNull, err := fillStdio(cmd)
	if err != nil {
		return err
	}
	defer closeNull()
	go onThreadThatEnds(n.run) // ends when the child has started or exited
	return n.limitChild()
}

// fillStdio opens the null device for each of cmd's standard files that is nil. Otherwise the
// os/exec package would open it in the confined thread, where the call waits for the notifier.
func fillStdio(cmd *exec.Cmd) (closeNull func(), err error) {
	if cmd.Stdin != nil && cmd.Stdout != nil && cmd.Stderr != nil {
		return func() {}, nil
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("opening the null device: %w", err)
	}
	if cmd.Stdin == nil {
		cmd.Stdin = null
	}
	if cmd.Stdout == nil {
		cmd.Stdout = null
	}
	if cmd.Stderr == nil {
		cmd.Stderr = null
	}
	return func() { _ = null.Close() }, nil
}

// enterBubble checks that this process is the first one of a bubble. It protects this process's
// memory, files and environment in /proc. The confining thread is in the same Landlock domain as
// the child, which could otherwise read them.
func enterBubble() error {
	if self, err := os.Readlink("/proc/self"); os.Getpid() != 1 || err != nil || self != "1" {
		return errors.New("starting in a bubble: this process is not the first of one")
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("hiding from the server: %w", err)
	}
	return nil
}

// hideFirst makes the bubble's /proc show each process only the processes that it may trace. This
// hides the first process: /proc/1/net is the computer's network, while the child has its own.
func hideFirst() error {
	fd, err := unix.Fspick(unix.AT_FDCWD, "/proc", unix.FSPICK_CLOEXEC)
	if err == nil {
		defer unix.Close(fd)
		// Before Linux 5.8 there is only "2", which exempts the group 0.
		if err = unix.FsconfigSetString(fd, "hidepid", "ptraceable"); err != nil {
			err = unix.FsconfigSetString(fd, "hidepid", "2")
		}
	}
	if err == nil {
		err = unix.FsconfigReconfigure(fd)
	}
	if err != nil {
		return fmt.Errorf("hiding the network of the computer from the server: %w", err)
	}
	return nil
}

// limitChild sets the child's limits, which the confined thread cannot do.
func (n *confiningThread) limitChild() error {
	count := sync.OnceValue(tasks.CountOwn)
	if n.policy.Group == nil && n.policy.Limits.Processes > 0 {
		count() // while the thread starts the child
	}
	select {
	case <-n.stopped:
		n.limited <- n.applyLimits(count)
		return <-n.started
	case err := <-n.started:
		if err != nil {
			return err
		}
		// The child could not be stopped, so its limits take effect slightly late.
		_ = n.applyLimits(count)
	}
	return nil
}

// applyLimits limits the child. In a control group, Linux counts only the child's processes.
// Otherwise it counts all of the user's processes, and count returns their number.
func (n *confiningThread) applyLimits(count func() uint64) error {
	pid, limits := n.cmd.Process.Pid, n.policy.Limits
	if cgroup.Join(n.policy.Group, pid) == nil {
		n.sums, limits.Processes = true, 0
	}
	return limit.Apply(pid, limits, count)
}

// onThreadThatEnds runs f on a separate thread, which then exits, and waits for it. The thread is
// never the main one. The main thread cannot exit, and /proc/self would then show the network, the
// rules and the rights that f gave the thread.
func onThreadThatEnds(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked, so that the thread ends with the goroutine
		if unix.Gettid() == os.Getpid() {
			defer runtime.UnlockOSThread()
			onThreadThatEnds(f) // while this goroutine occupies the main thread
			return
		}
		f()
	}()
	<-done
}

func (n *confiningThread) run() {
	if err := n.private.enter(); err != nil {
		n.started <- err
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

// start starts the child and stops it before its first instruction until its limits are set.
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
			err = fmt.Errorf("continuing the server: %w", derr)
		}
	} else {
		err = fmt.Errorf("stopping the server at its start: %w", err)
	}
	if err != nil {
		_ = n.cmd.Process.Kill()
		_ = n.cmd.Wait() // it was killed
	}
	return err
}

// confine confines the current thread and its descendants.
func (n *confiningThread) confine() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("dropping privileges: %w", err)
	}
	if err := dropCapabilities(); err != nil {
		return err
	}
	if n.status.Calls {
		if err := n.filterCalls(); err != nil {
			return err
		}
	}
	if !n.status.Files {
		return nil
	}
	rules := n.rules.plain
	if n.listener != 0 {
		rules = n.rules.guarded
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(rules), 0, 0); errno != 0 {
		return fmt.Errorf("entering the Landlock sandbox: %w", errno)
	}
	return nil
}

// filterCalls installs the filter, with a listener if possible.
func (n *confiningThread) filterCalls() error {
	// Linux allows one listener for a process and its descendants, so there is no notifier inside
	// another sandbox that has a listener. With WAIT_KILLABLE_RECV, only a fatal signal interrupts
	// the caller while the notifier works, because the call cannot be repeated. Kernels before 5.19
	// lack the flag.
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

// filter installs the filter of the current thread.
func (n *confiningThread) filter(notify bool, flags uintptr) (int, error) {
	// This process's parent may be a keeper, which the child must not affect either.
	all := policyRules(n.policy, []int{os.Getpid(), os.Getppid()}, unix.Gettid(), notify, notify && n.connects, n.private != nil)
	if notify && !n.policy.Bubble && !landlockSignals(n.status.Landlock) {
		all = append(all, signalRules()...)
	}
	if n.status.Files && n.status.Landlock < 3 {
		all = append(all, truncateRules()...)
	}
	if notify && n.status.Files && len(n.policy.Guarded) > 0 {
		all = append(all, guardRules()...)
	}
	if notify && n.status.Files { // after the rules that refuse calls
		all = append(all, observedRules(n.policy.Reads || len(n.policy.Files) > 0)...)
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

// dropCapabilities removes all privileges of root except the ownership of files.
func dropCapabilities() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var have, none [2]unix.CapUserData
	if err := unix.Capget(&header, &have[0]); err != nil {
		return fmt.Errorf("reading capabilities: %w", err)
	}
	if have == none {
		return nil
	}
	for c := uintptr(0); c <= unix.CAP_LAST_CAP; c++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.EPERM) {
			return fmt.Errorf("dropping capabilities: %w", err)
		}
	}
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) // kernels before 4.3 have no ambient set
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("dropping capabilities: %w", err)
	}
	return nil
}
