//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/unix"

	"goated/internal/sandbox/tasks"
)

// If Landlock does not restrict signals to its domain, the notifier checks each signal. It lets a
// process signal itself. For other processes of the server, it sends the signal itself to the exact
// process that it has checked.

// signalCalls lists the calls that the filter reports to the notifier.
var signalCalls = []uintptr{
	unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_TGKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO, unix.SYS_PIDFD_OPEN,
}

// signalRules returns the rules that replace Landlock's signal scope. They must follow the rules
// that protect goated itself.
func signalRules() []rule {
	var out []rule
	for _, nr := range signalCalls {
		out = append(out, rule{nr: nr})
	}
	// A descriptor of the peer process of a socket; x/sys lacks the constants.
	const passPidfd, peerPidfd = 76, 77
	socket := condition{arg: 1, in: []uint32{unix.SOL_SOCKET}}
	return append(out,
		rule{nr: unix.SYS_GETSOCKOPT, errno: unix.EPERM, where: []condition{socket, {arg: 2, in: []uint32{peerPidfd}}}},
		rule{nr: unix.SYS_SETSOCKOPT, errno: unix.EPERM, where: []condition{socket, {arg: 2, in: []uint32{passPidfd}}}},
		rule{nr: unix.SYS_FCNTL, errno: unix.EPERM, where: []condition{{arg: 1, in: []uint32{unix.F_SETOWN}}}}) // sets the process that input signals
}

// errContinue makes the kernel continue the call. It is safe only if the decision depends on
// registers alone, which the process cannot change.
var errContinue = errors.New("continue")

// signal does one of signalCalls. It returns false if the call already has its result.
func (n *notifier) signal(listener uintptr, r request) (bool, error) {
	caller, err := tasks.Of(int(r.pid))
	if err != nil {
		return true, unix.EPERM
	}
	to, sig := int(int32(r.argument[0])), unix.Signal(r.argument[1])
	switch uintptr(r.nr) {
	case unix.SYS_PIDFD_OPEN:
		return n.descriptor(listener, r, to)
	case unix.SYS_TKILL:
		if to == int(r.pid) {
			return true, errContinue
		}
		if other, err := tasks.Of(to); err == nil && other.Process == caller.Process { // another thread of the caller
			return true, unix.Tgkill(caller.Process, to, sig)
		}
		return true, unix.EPERM
	case unix.SYS_KILL:
	default:
		if to == caller.Process {
			return true, errContinue
		}
		return true, unix.EPERM
	}
	switch {
	case to == caller.Process:
		return true, errContinue
	case to > 0:
		return true, n.send(to, sig)
	case to == -1:
		return true, unix.EPERM
	case to == 0, to == -caller.Group:
		// A group belongs to one session. The server created every session except goated's.
		if mine, err := unix.Getsid(0); err == nil && caller.Session != mine {
			return true, errContinue
		}
		return true, unix.EPERM
	}
	return true, n.sendGroup(-to, sig)
}

// sendGroup signals the server's processes in a group. It succeeds if one of them got the signal.
func (n *notifier) sendGroup(group int, sig unix.Signal) error {
	sent, failed := false, error(unix.ESRCH)
	for _, pid := range tasks.Processes() {
		if s, err := tasks.Of(pid); err == nil && s.Group == group {
			if err := n.send(pid, sig); err != nil {
				failed = err
			} else {
				sent = true
			}
		}
	}
	if sent {
		return nil
	}
	return failed
}

// send signals a process if it belongs to the server.
func (n *notifier) send(pid int, sig unix.Signal) error {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return unix.ESRCH
	}
	defer unix.Close(fd)
	if !n.isDescendant(pid) {
		return unix.EPERM
	}
	return unix.PidfdSendSignal(fd, sig, nil, 0)
}

// descriptor gives the caller a descriptor for one of the server's processes.
func (n *notifier) descriptor(listener uintptr, r request, pid int) (bool, error) {
	if r.argument[1]&^unix.PIDFD_NONBLOCK != 0 || pid <= 0 {
		return true, unix.EINVAL
	}
	fd, err := unix.PidfdOpen(pid, int(r.argument[1]))
	if err != nil {
		return true, err
	}
	defer unix.Close(fd)
	if !n.isDescendant(pid) {
		return true, unix.EPERM
	}
	add := struct {
		id                           uint64
		flags, from, to, descriptors uint32
	}{id: r.id, flags: unix.SECCOMP_ADDFD_FLAG_SEND, from: uint32(fd), descriptors: unix.O_CLOEXEC}
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, listener, unix.SECCOMP_IOCTL_NOTIF_ADDFD, uintptr(unsafe.Pointer(&add)))
	return errno != 0, errno
}
