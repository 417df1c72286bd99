//go:build amd64 || arm64

package folderbroker

import (
	"errors"

	"golang.org/x/sys/unix"

	"goated/internal/sandbox/caller"
)

// A handler does the change of one system call.
type handler = func(*Broker, Call, [6]uint64) (Answer, error)

// calls are the system calls that a folder broker handles, on every architecture.
var calls = oldCalls(map[uintptr]handler{
	unix.SYS_OPENAT: func(b *Broker, c Call, a [6]uint64) (Answer, error) {
		return b.open(c, from(a, 1), int(int32(a[2])), uint32(a[3]))
	},
	unix.SYS_TRUNCATE:  func(b *Broker, c Call, a [6]uint64) (Answer, error) { return b.truncate(c, at(a, 0), int64(a[1])) },
	unix.SYS_MKDIRAT:   func(b *Broker, c Call, a [6]uint64) (Answer, error) { return b.mkdir(c, from(a, 1), uint32(a[2])) },
	unix.SYS_MKNODAT:   func(b *Broker, c Call, a [6]uint64) (Answer, error) { return b.mknod(c, from(a, 1), uint32(a[2])) },
	unix.SYS_UNLINKAT:  func(b *Broker, c Call, a [6]uint64) (Answer, error) { return b.remove(c, from(a, 1), int(a[2])) },
	unix.SYS_SYMLINKAT: func(b *Broker, c Call, a [6]uint64) (Answer, error) { return b.symlink(c, uintptr(a[0]), from(a, 2)) },
	unix.SYS_LINKAT: func(b *Broker, c Call, a [6]uint64) (Answer, error) {
		return b.link(c, from(a, 1), from(a, 3), int(a[4]))
	},
	unix.SYS_RENAMEAT: func(b *Broker, c Call, a [6]uint64) (Answer, error) { return b.rename(c, from(a, 1), from(a, 3), 0) },
	unix.SYS_RENAMEAT2: func(b *Broker, c Call, a [6]uint64) (Answer, error) {
		return b.rename(c, from(a, 1), from(a, 3), uint(a[4]))
	},
})

// mask returns a mode without the bits in the process's umask.
func mask(c Call, mode uint32) uint32 { return mode & 0o777 &^ caller.Umask(c.PID) }

func (b *Broker) mkdir(c Call, p path, mode uint32) (Answer, error) {
	here, err := b.guarded(c, p, true, true)
	if err != nil {
		return Answer{FD: -1}, err
	}
	defer here.close()
	return Answer{FD: -1}, unix.Mkdirat(here.dir, here.name, mask(c, mode)|mode&unix.S_ISVTX)
}

// mknod creates regular files and pipes, but no devices.
func (b *Broker) mknod(c Call, p path, mode uint32) (Answer, error) {
	here, err := b.newFile(c, p)
	if err != nil {
		return Answer{FD: -1}, err
	}
	defer here.close()
	kind := mode & unix.S_IFMT
	if kind != 0 && kind != unix.S_IFREG && kind != unix.S_IFIFO && kind != unix.S_IFSOCK {
		return Answer{FD: -1}, unix.EPERM
	}
	return Answer{FD: -1}, unix.Mknodat(here.dir, here.name, kind|mask(c, mode), 0)
}

// newFile is guarded for anything except a folder. It must not replace a folder with protected files.
func (b *Broker) newFile(c Call, p path) (place, error) { return b.guarded(c, p, true, false) }

func (b *Broker) remove(c Call, p path, flags int) (Answer, error) {
	here, err := b.guarded(c, p, false, false)
	if err != nil {
		return Answer{FD: -1}, err
	}
	defer here.close()
	var st unix.Stat_t
	if err := unix.Fstatat(here.dir, here.name, &st, unix.AT_SYMLINK_NOFOLLOW); err == nil && regular(st) && b.Guard.Redirects(here.full) {
		return Answer{FD: -1}, b.refuse(here.full, false)
	}
	return Answer{FD: -1}, unix.Unlinkat(here.dir, here.name, flags&unix.AT_REMOVEDIR)
}

func (b *Broker) symlink(c Call, target uintptr, p path) (Answer, error) {
	text, err := caller.String(c.PID, target)
	if err != nil {
		return Answer{FD: -1}, err
	}
	here, err := b.newFile(c, p)
	if err != nil {
		return Answer{FD: -1}, err
	}
	defer here.close()
	return Answer{FD: -1}, unix.Symlinkat(text, here.dir, here.name)
}

// link gives a file another name. The process must be allowed to write the file itself, because
// under another name it could change a protected file.
func (b *Broker) link(c Call, from, to path, flags int) (Answer, error) {
	none := Answer{FD: -1}
	old, err := b.find(c, from, flags&unix.AT_SYMLINK_FOLLOW != 0)
	if err != nil {
		return none, err
	}
	defer old.close()
	mode := unix.O_PATH | unix.O_CLOEXEC | unix.O_NOFOLLOW
	if flags&unix.AT_SYMLINK_FOLLOW != 0 {
		mode &^= unix.O_NOFOLLOW // of a descriptor in /proc
	}
	file, err := unix.Openat(old.dir, old.name, mode, 0)
	if err != nil {
		return none, err
	}
	defer unix.Close(file)
	var st unix.Stat_t
	if err := unix.Fstat(file, &st); err != nil {
		return none, err
	}
	where, err := target(file)
	if err != nil {
		return none, err
	}
	here, err := b.newFile(c, to)
	switch {
	case err != nil:
		return none, err
	case b.Guard.Covers(where) && (b.Guard.Protects(where) || regular(st) && b.Guard.Redirects(where)):
		err = b.refuse(where, false)
	case !b.Guard.Allows(where) && st.Nlink > 0: // without a name, it is a file that the process created
		err = unix.EXDEV
	default:
		err = unix.Linkat(unix.AT_FDCWD, self(file), here.dir, here.name, unix.AT_SYMLINK_FOLLOW)
	}
	here.close()
	return none, err
}

// rename moves a file or folder between writable folders. At least one of them is guarded.
func (b *Broker) rename(c Call, from, to path, flags uint) (Answer, error) {
	none := Answer{FD: -1}
	old, err := b.find(c, from, false)
	if err != nil {
		return none, err
	}
	defer old.close()
	here, err := b.find(c, to, false)
	if err != nil {
		return none, err
	}
	defer here.close()
	if !b.Guard.Covers(old.full) && !b.Guard.Covers(here.full) {
		return none, ErrElsewhere
	}
	if flags&^(unix.RENAME_NOREPLACE|unix.RENAME_EXCHANGE) != 0 {
		return none, unix.EINVAL
	}
	for _, p := range []place{old, here} {
		switch {
		case b.Guard.Allows(p.full):
		case b.Guard.Covers(p.full):
			return none, b.refuse(p.full, false)
		default:
			return none, unix.EXDEV // programs then copy, and the refusal concerns the right file
		}
	}
	// The target of the move may contain anything, and the source may contain protected files.
	for _, p := range []place{old, here} {
		if b.Guard.Covers(p.full) && b.Guard.Leads(p.full) {
			return none, b.refuse(p.full, false)
		}
	}
	if err := c.Valid(); err != nil {
		return none, err
	}
	return none, unix.Renameat2(old.dir, old.name, here.dir, here.name, flags)
}

// truncate sets the length of a file.
func (b *Broker) truncate(c Call, p path, length int64) (Answer, error) {
	answer, err := b.open(c, p, unix.O_WRONLY, 0)
	if err != nil {
		return answer, err
	}
	defer unix.Close(answer.FD)
	return Answer{FD: -1}, unix.Ftruncate(answer.FD, length)
}

// open opens or creates a file to write.
func (b *Broker) open(c Call, p path, flags int, mode uint32) (Answer, error) {
	none := Answer{FD: -1}
	if flags&unix.O_PATH != 0 || flags&(unix.O_ACCMODE|unix.O_CREAT|unix.O_TRUNC) == unix.O_RDONLY {
		return none, ErrElsewhere
	}
	if flags&unix.O_TMPFILE == unix.O_TMPFILE { // the path may be any path of a folder
		folder, err := caller.Open(c.PID, p.dirfd, p.address, 0)
		if err != nil {
			return none, ErrElsewhere
		}
		defer unix.Close(folder)
		return b.reopen(c, folder, flags, mode)
	}
	follow := flags&unix.O_NOFOLLOW == 0 && flags&(unix.O_CREAT|unix.O_EXCL) != unix.O_CREAT|unix.O_EXCL
	here, err := b.find(c, p, follow)
	if err != nil {
		return none, err
	}
	defer here.close()
	look := unix.O_PATH | unix.O_CLOEXEC
	if !follow {
		look |= unix.O_NOFOLLOW
	}
	for range 2 { // retries once if another program removes the file in between
		file, err := unix.Openat(here.dir, here.name, look, 0)
		switch {
		case err == nil:
			defer unix.Close(file)
			return b.reopen(c, file, flags, mode)
		case !errors.Is(err, unix.ENOENT):
			return none, ErrElsewhere // the kernel fails in the same way
		case !b.Guard.Covers(here.full) || flags&unix.O_CREAT == 0:
			return none, ErrElsewhere
		case b.Guard.Protects(here.full) || b.Guard.Leads(here.full):
			return none, b.refuse(here.full, false)
		}
		if err := c.Valid(); err != nil {
			return none, err
		}
		fd, err := unix.Openat(here.dir, here.name, flags&fine|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, mask(c, mode))
		if err == nil || flags&unix.O_EXCL != 0 || !errors.Is(err, unix.EEXIST) {
			return Answer{fd, flags & unix.O_CLOEXEC}, err
		}
	}
	return none, unix.EAGAIN
}

// fine are the open flags that a process may choose.
const fine = unix.O_ACCMODE | unix.O_TRUNC | unix.O_APPEND | unix.O_SYNC | unix.O_DSYNC | unix.O_DIRECT | unix.O_NOATIME | unix.O_NONBLOCK

// reopen opens an existing file for writing. file is open with O_PATH.
func (b *Broker) reopen(c Call, file, flags int, mode uint32) (Answer, error) {
	none := Answer{FD: -1}
	where, err := target(file)
	if err != nil {
		return none, err
	}
	if !b.Guard.Covers(where) {
		return none, ErrElsewhere
	}
	var st unix.Stat_t
	if err := unix.Fstat(file, &st); err != nil {
		return none, err
	}
	kind := st.Mode & unix.S_IFMT
	unnamed := flags&unix.O_TMPFILE == unix.O_TMPFILE && kind == unix.S_IFDIR
	switch {
	case flags&(unix.O_CREAT|unix.O_EXCL) == unix.O_CREAT|unix.O_EXCL:
		return none, unix.EEXIST
	case kind == unix.S_IFLNK:
		return none, unix.ELOOP
	case kind == unix.S_IFDIR && !unnamed:
		return none, unix.EISDIR
	case kind != unix.S_IFREG && !unnamed:
		return none, unix.EACCES // opening a pipe would block the folder broker
	case flags&unix.O_DIRECTORY != 0 && !unnamed:
		return none, unix.ENOTDIR
	case b.Guard.Protects(where), regular(st) && b.Guard.Redirects(where):
		return none, b.refuse(where, false)
	}
	if err := c.Valid(); err != nil {
		return none, err
	}
	if unnamed {
		fd, err := unix.Open(self(file), flags&(fine|unix.O_TMPFILE|unix.O_EXCL)|unix.O_CLOEXEC, mask(c, mode))
		return Answer{fd, flags & unix.O_CLOEXEC}, err
	}
	// O_NONBLOCK: a lease on the file must not block the folder broker.
	fd, err := unix.Open(self(file), flags&fine|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err == nil && flags&unix.O_NONBLOCK == 0 {
		_, err = unix.FcntlInt(uintptr(fd), unix.F_SETFL, flags&(unix.O_APPEND|unix.O_DIRECT|unix.O_NOATIME))
		if err != nil {
			_ = unix.Close(fd)
		}
	}
	if err != nil {
		return none, err
	}
	return Answer{fd, flags & unix.O_CLOEXEC}, nil
}

func regular(st unix.Stat_t) bool { return st.Mode&unix.S_IFMT == unix.S_IFREG }

// target returns the path of an open file.
func target(file int) (string, error) {
	b := make([]byte, unix.PathMax)
	n, err := unix.Readlink(self(file), b)
	if err != nil {
		return "", unix.EACCES
	}
	return string(b[:n]), nil
}
