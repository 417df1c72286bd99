//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A notifier does for a confined process what neither Landlock nor a filter can
// judge. Here it changes the modes and times of files, where the process may
// write: Landlock does not know of them, and a filter of calls cannot see a path.
// It does it itself, on a file that it has found and looked at: what the process
// changes in its memory meanwhile is of no use. So it is with connections, see
// [connector], and with signals.
type notifier struct {
	listener      *os.File
	conn          syscall.RawConn
	roots         []string   // without links
	network       *connector // nil: no call for one comes here
	server        int        // the process that was started
	adoptsOrphans bool       // this process has its orphans
	done          chan struct{}
}

// newNotifier takes a filter's listener to a deputy, who stays as long as anything
// runs under the filter, or until close. The paths of p are those of prepare.
func newNotifier(listener, server int, p Policy, network *connector) *notifier {
	d := &notifier{network: network, server: server, adoptsOrphans: isSubreaper(), done: make(chan struct{})}
	d.roots = p.writable()
	_ = unix.SetNonblock(listener, true) // the runtime waits for it then
	d.listener = os.NewFile(uintptr(listener), "seccomp")
	d.conn, _ = d.listener.SyscallConn() // a file that is open has one
	go d.serve()
	return d
}

// close has the deputy leave, and waits for that: what it would have done fails
// from then on.
func (d *notifier) close() {
	if d.network != nil {
		close(d.network.stopped)
	}
	_ = d.listener.Close()
	<-d.done
	if d.network != nil {
		d.network.wg.Wait()
	}
}

// control does something with the listener, unless it is closed.
func (d *notifier) control(do func(fd uintptr)) { _ = d.conn.Control(do) }

// What the kernel and a listener say to each other.
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

// serve ends when nothing is left under the filter.
func (d *notifier) serve() {
	defer close(d.done)
	defer d.listener.Close()
	for over := false; !over; {
		err := d.conn.Read(func(fd uintptr) bool {
			ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
			n, err := unix.Poll(ready, 0)
			switch {
			case errors.Is(err, unix.EINTR):
				return true
			case err != nil || n == 0:
				over = err != nil
				return over
			case ready[0].Revents&unix.POLLIN != 0:
				d.answer(fd)
			default: // POLLHUP
				over = true
			}
			return true
		})
		over = over || err != nil
	}
}

// answer does one call. Errors of the exchange are those of a caller that is gone.
func (d *notifier) answer(fd uintptr) {
	var r request
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&r))); errno != 0 {
		return
	}
	if nr := uintptr(r.nr); nr == unix.SYS_CONNECT || nr == unix.SYS_LISTEN {
		d.connect(fd, r)
		return
	}
	out := response{id: r.id}
	answer, err := true, error(nil)
	if slices.Contains(signalCalls, uintptr(r.nr)) {
		answer, err = d.signal(fd, r)
	} else {
		err = d.changeMetadata(fd, r)
	}
	switch {
	case !answer:
		return
	case errors.Is(err, errContinue):
		out.flags = unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE
	case err != nil:
		out.errno = -int32(errnoOf(err, unix.EPERM))
	}
	d.respond(fd, out)
}

func (d *notifier) respond(fd uintptr, out response) {
	_, _, _ = unix.Syscall(unix.SYS_IOCTL, fd, unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&out)))
}

// errnoOf is what an error is to the caller: the system's word, or else other.
func errnoOf(err error, other unix.Errno) unix.Errno {
	_ = errors.As(err, &other)
	return other
}

// changeMetadata changes what r asks for.
func (d *notifier) changeMetadata(listener uintptr, r request) error {
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
		file, err = reopen(int(r.pid), dirfd)
	} else {
		file, err = openAsCaller(int(r.pid), dirfd, uintptr(path), flags)
	}
	if err != nil {
		return err
	}
	defer unix.Close(file)
	where, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(file))
	if err != nil || !slices.ContainsFunc(d.roots, func(dir string) bool { return within(where, dir) }) {
		return unix.EPERM
	}
	var times *[2]unix.Timespec
	if uintptr(r.nr) == unix.SYS_UTIMENSAT && value != 0 {
		times = new([2]unix.Timespec)
		if err := readMemory(int(r.pid), uintptr(value), unsafe.Slice((*byte)(unsafe.Pointer(times)), unsafe.Sizeof(*times))); err != nil {
			return err
		}
	}
	// What was read was the caller's only if it still is there.
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, listener, unix.SECCOMP_IOCTL_NOTIF_ID_VALID, uintptr(unsafe.Pointer(&r.id))); errno != 0 {
		return errno
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

// reopen is the file that a descriptor of the caller's is of. That it could be
// opened says nothing: to read it was enough.
func reopen(pid int, number int32) (int, error) {
	file, err := unix.Open(descriptorOf(pid, number), unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) {
		err = unix.EBADF
	}
	return file, err
}

// descriptorOf is where a process's descriptor is found.
func descriptorOf(pid int, number int32) string {
	return "/proc/" + strconv.Itoa(pid) + "/fd/" + strconv.Itoa(int(number))
}

// openAsCaller finds the file as the caller would.
func openAsCaller(pid int, dirfd int32, path uintptr, flags int) (int, error) {
	name, err := readString(pid, path)
	if err != nil {
		return -1, err
	}
	at := unix.AT_FDCWD
	if !filepath.IsAbs(name) {
		base := "/proc/" + strconv.Itoa(pid) + "/cwd"
		if dirfd != unix.AT_FDCWD {
			base = descriptorOf(pid, dirfd)
		}
		fd, err := unix.Open(base, unix.O_PATH|unix.O_CLOEXEC, 0)
		if err != nil {
			return -1, err
		}
		defer unix.Close(fd)
		at = fd
	}
	mode := unix.O_PATH | unix.O_CLOEXEC
	if flags&unix.AT_SYMLINK_NOFOLLOW != 0 {
		mode |= unix.O_NOFOLLOW
	}
	return unix.Openat(at, name, mode, 0)
}

// readString reads a string of the caller's, which ends with a zero.
func readString(pid int, address uintptr) (string, error) {
	var out []byte
	for len(out) < unix.PathMax {
		// No further than a page: the next one may not be there.
		b := make([]byte, min(256, 4096-(address+uintptr(len(out)))%4096))
		if err := readMemory(pid, address+uintptr(len(out)), b); err != nil {
			return "", err
		}
		if i := bytes.IndexByte(b, 0); i >= 0 {
			return string(append(out, b[:i]...)), nil
		}
		out = append(out, b...)
	}
	return "", unix.ENAMETOOLONG
}

// readMemory reads the caller's memory.
func readMemory(pid int, address uintptr, b []byte) error {
	local := []unix.Iovec{{Base: &b[0]}}
	local[0].SetLen(len(b))
	n, err := unix.ProcessVMReadv(pid, local, []unix.RemoteIovec{{Base: address, Len: len(b)}}, 0)
	if err == nil && n != len(b) {
		err = unix.EFAULT
	}
	return err
}
