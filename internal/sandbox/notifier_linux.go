//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"goated/internal/paths"
	"goated/internal/sandbox/caller"
)

// A notifier does the calls of a confined process that neither Landlock nor a filter can judge.
// seccomp_unotify(2) describes the mechanism. It changes modes and times of files that the process
// may write, because Landlock does not restrict those calls and a filter cannot see paths. It opens
// and checks the file and then changes that same file, so the process gains nothing by modifying
// its memory in between. Connections (see [connector]) and signals work the same way.
type notifier struct {
	listener      *os.File
	conn          syscall.RawConn
	roots         []string   // without links
	network       *connector // nil if the filter does not report connections
	watch         *observer  // nil if Landlock restricts no files
	server        int        // the ID of the process that Start started
	adoptsOrphans bool       // the server's orphans become children of this process
	done          chan struct{}
}

// newNotifier starts a notifier for a filter's listener. It runs until close, or until no process
// has the filter any more. prepare must have resolved the paths of p.
func newNotifier(listener, server int, p Policy, network *connector, watch *observer) *notifier {
	d := &notifier{network: network, watch: watch, server: server, adoptsOrphans: isSubreaper(), done: make(chan struct{})}
	d.roots = append(p.writable(), p.Files...)
	_ = unix.SetNonblock(listener, true) // the runtime then waits for it
	d.listener = os.NewFile(uintptr(listener), "seccomp")
	d.conn, _ = d.listener.SyscallConn() // cannot fail for an open file
	go d.serve()                         // ends with close at the latest, which waits for it
	return d
}

// close stops the notifier and waits for it. Calls that need it fail afterwards.
func (n *notifier) close() {
	if n.network != nil {
		close(n.network.stopped)
	}
	_ = n.listener.Close()
	<-n.done
	n.watch.close()
	if n.network != nil {
		n.network.wg.Wait()
	}
}

// control calls do with the listener, unless the listener is closed.
func (n *notifier) control(do func(fd uintptr)) { _ = n.conn.Control(do) }

// The structs that the kernel and a listener exchange: seccomp_notif and seccomp_notif_resp.
type (
	request struct {
		id       uint64
		pid, _   uint32
		nr       int32
		arch     uint32
		ip       uint64
		argument [6]uint64
	}
	response struct {
		id    uint64
		value int64
		errno int32
		flags uint32
	}
)

// serve handles calls until no process has the filter.
func (n *notifier) serve() {
	defer close(n.done)
	defer n.listener.Close()
	for done := false; !done; {
		err := n.conn.Read(func(fd uintptr) bool {
			ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
			count, err := unix.Poll(ready, 0)
			switch {
			case errors.Is(err, unix.EINTR):
				return true
			case err != nil || count == 0:
				done = err != nil
				return done
			case ready[0].Revents&unix.POLLIN != 0:
				n.answer(fd)
			default: // POLLHUP
				done = true
			}
			return true
		})
		done = done || err != nil
	}
}

// answer handles one call. The exchange fails only if the caller has exited.
func (n *notifier) answer(fd uintptr) {
	var r request
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&r))); errno != 0 {
		return
	}
	if nr := uintptr(r.nr); nr == unix.SYS_CONNECT || nr == unix.SYS_LISTEN {
		n.connect(fd, r)
		return
	}
	out := response{id: r.id}
	answer, err := true, error(nil)
	switch nr := uintptr(r.nr); {
	case slices.Contains(signalCalls, nr):
		answer, err = n.signal(fd, r)
	case nr == unix.SYS_SOCKET:
		if err = unix.EACCES; n.watch != nil && isBrowser(int(r.pid)) {
			n.watch.refused(Permission{Kind: ToBrowser})
		}
	case slices.Contains(metadataCalls, nr):
		err = n.changeMetadata(fd, r)
	default:
		var done bool
		if done, err = n.watch.observe(n, fd, r); !done {
			err = errContinue
		}
	}
	switch {
	case !answer, errors.Is(err, errAnswered):
		return
	case errors.Is(err, errContinue):
		out.flags = unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE
	case err != nil:
		out.errno = -int32(errnoOf(err, unix.EPERM))
	}
	n.respond(fd, out)
}

func (n *notifier) respond(fd uintptr, out response) {
	_, _, _ = unix.Syscall(unix.SYS_IOCTL, fd, unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&out)))
}

// errnoOf returns the errno in an error, or other if there is none.
func errnoOf(err error, other unix.Errno) unix.Errno {
	_ = errors.As(err, &other)
	return other
}

// changeMetadata does a chmod or utimens call.
func (n *notifier) changeMetadata(listener uintptr, r request) error {
	a := r.argument
	dirfd, path, value := int32(a[0]), a[1], a[2]
	flags, opened := 0, false
	switch uintptr(r.nr) {
	case unix.SYS_FCHMODAT:
	case unix.SYS_FCHMOD:
		value, opened = a[1], true
	case unix.SYS_UTIMENSAT:
		flags, opened = int(a[3]), path == 0
	default: // chmod
		dirfd, path, value = unix.AT_FDCWD, a[0], a[1]
	}
	file, err := -1, error(nil)
	if opened {
		file, err = caller.Reopen(int(r.pid), dirfd)
	} else {
		file, err = caller.Open(int(r.pid), dirfd, uintptr(path), flags)
	}
	if err != nil {
		return err
	}
	defer unix.Close(file)
	where, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(file))
	if err != nil || !slices.ContainsFunc(n.roots, func(dir string) bool { return paths.Within(where, dir) }) {
		return unix.EPERM
	}
	if n.watch != nil && n.watch.folders != nil && !n.watch.folders.Guard.Allows(where) {
		return unix.EPERM
	}
	var times *[2]unix.Timespec
	if uintptr(r.nr) == unix.SYS_UTIMENSAT && value != 0 {
		times = new([2]unix.Timespec)
		if err := caller.Memory(int(r.pid), uintptr(value), unsafe.Slice((*byte)(unsafe.Pointer(times)), unsafe.Sizeof(*times))); err != nil {
			return err
		}
	}
	// The data is the caller's only if the caller still waits.
	if err := stillWaits(listener, r); err != nil {
		return err
	}
	self := "/proc/self/fd/" + strconv.Itoa(file)
	if uintptr(r.nr) != unix.SYS_UTIMENSAT {
		if value&setID != 0 {
			return unix.EPERM
		}
		return unix.Fchmodat(unix.AT_FDCWD, self, uint32(value), 0)
	}
	if times == nil {
		return unix.UtimesNanoAt(unix.AT_FDCWD, self, nil, 0)
	}
	return unix.UtimesNanoAt(unix.AT_FDCWD, self, times[:], 0)
}
