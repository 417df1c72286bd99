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

// A fileBroker opens, creates and removes single files for a confined process, together with files
// that belong to them, such as the journal of a database. Landlock has rules for existing files and
// for whole folders, but none for a name. The fileBroker resolves the folder of a path itself, and
// works on plain names in the folder that it opened at the start. So neither links nor changes of
// the path can redirect it.
type fileBroker struct {
	folders []brokered
}

// brokered describes files in one folder.
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

// find returns the open folder of a path that the fileBroker handles, and the file's name in it.
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

// open opens a file for the caller. done is false if the fileBroker does not handle the file.
func (b *fileBroker) open(d *notifier, listener uintptr, r request, path string, flags int, mode uint32) (done bool, err error) {
	dir, name, ok := b.find(path)
	if !ok {
		return false, nil
	}
	const fine = unix.O_ACCMODE | unix.O_CREAT | unix.O_EXCL | unix.O_TRUNC | unix.O_APPEND | unix.O_SYNC | unix.O_DSYNC | unix.O_NONBLOCK
	// O_NONBLOCK: a pipe with that name must not block the notifier.
	fd, err := unix.Openat(dir, name, flags&fine&^unix.O_TRUNC|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, mode&0o777)
	if errors.Is(err, unix.EISDIR) || errors.Is(err, unix.ELOOP) {
		return false, nil // the kernel decides
	}
	if err != nil {
		return true, err
	}
	defer func() { _ = unix.Close(fd) }()
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return true, err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG || st.Nlink > 1 { // a hard link to a file elsewhere
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

// errAnswered means that the caller already has its result.
var errAnswered = errors.New("answered")

// give completes a call with a file descriptor in the caller. It closes its own descriptor first,
// because a program that is open for writing cannot be executed.
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
	case unix.SYS_MKDIRAT, oldMkdir: // used as a lock
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
		flags := uint(0)
		if nr == unix.SYS_RENAMEAT2 {
			flags = uint(r.argument[4])
		}
		if flags&^(unix.RENAME_NOREPLACE|unix.RENAME_EXCHANGE) != 0 {
			return true, unix.EINVAL
		}
		return true, unix.Renameat2(source, oldName, dir, name, flags)
	}
	return false, nil
}
