//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"

	"goated/internal/sandbox/caller"
	"goated/internal/sandbox/trusted"
)

// A fileBroker opens, creates and removes single files for a confined process, with the files
// that belong to them, such as the journal of a database. Landlock has rules for files
// that exist, and for whole folders, but none for a name. The fileBroker resolves the folder
// of a path itself and works in the folder that it opened at the start, on names only,
// so that neither links nor changes of the path lead it elsewhere.
type fileBroker struct {
	folders []brokered
}

// brokered are files of one folder.
type brokered struct {
	at    string // the folder, without links
	fd    int
	files []string // names
}

// newFileBroker returns the fileBroker for single files, or nil if there are none.
func newFileBroker(files []string) *fileBroker {
	b := &fileBroker{}
	for _, file := range files {
		fd, at, err := trusted.Open(filepath.Dir(file), false)
		if err != nil {
			continue
		}
		b.folders = append(b.folders, brokered{at, fd, []string{filepath.Base(file)}})
	}
	if len(b.folders) == 0 {
		return nil
	}
	return b
}

func (b *fileBroker) close() {
	if b == nil {
		return
	}
	for _, f := range b.folders {
		_ = unix.Close(f.fd)
	}
}

// find returns the open folder of a path that it handles, and the name in it.
func (b *fileBroker) find(path string) (fd int, name string, ok bool) {
	name = filepath.Base(path)
	for _, f := range b.folders {
		for _, file := range f.files {
			if belongs(name, file) && (filepath.Dir(path) == f.at || resolveLinks(filepath.Dir(path)) == f.at) {
				return f.fd, name, true
			}
		}
	}
	return 0, "", false
}

// open opens a file for the caller. done is false if it does not handle the file.
func (b *fileBroker) open(d *notifier, listener uintptr, r request, path string, flags int, mode uint32) (done bool, err error) {
	dir, name, ok := b.find(path)
	if !ok {
		return false, nil
	}
	const fine = unix.O_ACCMODE | unix.O_CREAT | unix.O_EXCL | unix.O_TRUNC | unix.O_APPEND | unix.O_SYNC | unix.O_DSYNC | unix.O_NONBLOCK
	// O_NONBLOCK: a pipe of that name must not stop the notifier.
	fd, err := unix.Openat(dir, name, flags&fine&^unix.O_TRUNC|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, mode&0o777)
	if errors.Is(err, unix.EISDIR) || errors.Is(err, unix.ELOOP) {
		return false, nil // the kernel judges it
	}
	if err != nil {
		return true, err
	}
	defer func() { _ = unix.Close(fd) }()
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return true, err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG || st.Nlink > 1 { // another name of a file elsewhere
		return false, nil
	}
	if flags&unix.O_TRUNC != 0 {
		if err := unix.Ftruncate(fd, 0); err != nil {
			return true, err
		}
	}
	if flags&unix.O_NONBLOCK == 0 {
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFL, flags&(unix.O_APPEND|unix.O_SYNC|unix.O_DSYNC)); err != nil {
			return true, err
		}
	}
	given := fd
	fd = -1
	return true, d.give(listener, r, given, flags&unix.O_CLOEXEC)
}

// errAnswered means that the caller already has its answer.
var errAnswered = errors.New("answered")

// give answers a call with a descriptor in the caller. It closes the own one first: a
// program that someone still has open to write cannot be run.
func (n *notifier) give(listener uintptr, r request, fd, flags int) error {
	add := struct {
		id                           uint64
		flags, from, to, descriptors uint32
	}{id: r.id, from: uint32(fd), descriptors: uint32(flags)}
	number, _, errno := unix.Syscall(unix.SYS_IOCTL, listener, unix.SECCOMP_IOCTL_NOTIF_ADDFD, uintptr(unsafe.Pointer(&add)))
	_ = unix.Close(fd)
	if errno != 0 {
		return errno
	}
	n.respond(listener, response{id: r.id, value: int64(number)})
	return errAnswered
}

// change creates or removes a file for the caller.
func (b *fileBroker) change(r request, nr uintptr, path string) (done bool, err error) {
	dir, name, ok := b.find(path)
	if !ok {
		return false, nil
	}
	switch nr {
	case unix.SYS_UNLINKAT, oldUnlink, oldRmdir:
		flags := 0
		if nr == oldRmdir || nr == unix.SYS_UNLINKAT && r.argument[2]&unix.AT_REMOVEDIR != 0 {
			flags = unix.AT_REMOVEDIR
		}
		return true, unix.Unlinkat(dir, name, flags)
	case unix.SYS_MKDIRAT, oldMkdir: // as a lock
		return true, unix.Mkdirat(dir, name, 0o700)
	case unix.SYS_RENAMEAT2, oldRename, oldRenameAt:
		from, address := int32(unix.AT_FDCWD), r.argument[0]
		if nr != oldRename {
			from, address = int32(r.argument[0]), r.argument[1]
		}
		old, err := caller.Path(int(r.pid), from, uintptr(address))
		if err != nil {
			return true, err
		}
		source, oldName, ok := b.find(old)
		if !ok {
			return false, nil
		}
		return true, unix.Renameat(source, oldName, dir, name)
	}
	return false, nil
}
