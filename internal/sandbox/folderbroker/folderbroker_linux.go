//go:build amd64 || arm64

// Package folderbroker changes files for a confined process in folders that contain protected files.
//
// Landlock applies a right on a folder to everything below it, and cannot exclude a file. A process
// therefore has only the right to read such a folder, and each of its calls that would change
// something there waits for the folder broker. The broker opens the file that the path names, asks
// its [protect.Guard] about the real location, and makes the change itself. So the process gains
// nothing by changing the path or the folders in between. The broker makes one change at a time, so
// calls never overlap.
//
// The broker enforces no other restriction of the process, and gives it no more rights than Linux
// gives the user.
package folderbroker

import (
	"errors"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"

	"goated/internal/paths"
	"goated/internal/sandbox/caller"
	"goated/internal/sandbox/protect"
)

// A Broker serves one confined process and its descendants. Its methods are not safe for concurrent
// use.
type Broker struct {
	Guard   *protect.Guard
	Refused func(path string, folder bool) // called for each refusal of a protected file; folder means that the process tried to create a folder
}

// A Call is a system call that is waiting.
type Call struct {
	PID   int
	Nr    uintptr
	Args  [6]uint64
	Valid func() error // returns an error if the call no longer waits
}

// An Answer is the result of a call.
type Answer struct {
	FD    int // a file to pass to the process, which the caller of Do closes; -1 for none
	Flags int // O_CLOEXEC, for FD
}

// ErrElsewhere means that a call changes nothing in the folders of a folder broker.
var ErrElsewhere = errors.New("it changes nothing in a guarded folder")

// Do makes the change of a call. After ErrElsewhere, the kernel may continue the call.
func (b *Broker) Do(c Call) (Answer, error) {
	do, ok := calls[c.Nr]
	if !ok {
		return Answer{FD: -1}, ErrElsewhere
	}
	return do(b, c, c.Args)
}

// at returns a path argument relative to the working directory.
func at(args [6]uint64, i int) path { return path{unix.AT_FDCWD, uintptr(args[i])} }

// from returns a path argument relative to the folder in the argument before it.
func from(args [6]uint64, i int) path { return path{int32(args[i-1]), uintptr(args[i])} }

// A path is a path in the process's memory.
type path struct {
	dirfd   int32
	address uintptr
}

// A place is the open folder of a path, and the file's name in it.
type place struct {
	dir  int    // opened with O_PATH
	name string // without slashes
	full string // the real path
}

func (p place) close() { _ = unix.Close(p.dir) }

// maxLinks is how many links Linux follows in a path.
const maxLinks = 40

// find returns the place of a path. follow means that it also follows a link with that name.
func (b *Broker) find(c Call, p path, follow bool) (place, error) {
	name, err := caller.String(c.PID, p.address)
	if err != nil {
		return place{}, err
	}
	dir, err := caller.Folder(c.PID, p.dirfd, name)
	if err != nil {
		return place{}, err
	}
	name = caller.Own(c.PID, name)
	for range maxLinks {
		parent, base := filepath.Split(trim(name))
		if base == "" || base == "." || base == ".." {
			shut(dir)
			return place{}, ErrElsewhere // no call can change the target of such a name
		}
		if parent == "" {
			parent = "."
		}
		next, err := unix.Openat(dir, parent, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		shut(dir)
		if err != nil {
			return place{}, ErrElsewhere // the kernel fails in the same way
		}
		folder, err := target(next)
		if err != nil {
			_ = unix.Close(next)
			return place{}, err
		}
		here := place{next, base, filepath.Join(folder, base)}
		if paths.Within(folder, "/proc") || !follow {
			return here, nil
		}
		link := make([]byte, unix.PathMax)
		n, err := unix.Readlinkat(next, base, link)
		if err != nil {
			return here, nil // it is not a link
		}
		dir, name = next, caller.Own(c.PID, string(link[:n]))
	}
	shut(dir)
	return place{}, unix.ELOOP
}

// trim removes trailing slashes from a path.
func trim(name string) string {
	for len(name) > 1 && name[len(name)-1] == '/' {
		name = name[:len(name)-1]
	}
	return name
}

func shut(dir int) {
	if dir >= 0 {
		_ = unix.Close(dir)
	}
}

// self returns a path for an open file of this process.
func self(fd int) string { return "/proc/self/fd/" + strconv.Itoa(fd) }

// refuse reports the refused change of a protected file.
func (b *Broker) refuse(full string, folder bool) error {
	if b.Refused != nil {
		b.Refused(full, folder)
	}
	return unix.EACCES
}

// guarded returns the place of a path whose file is to be created, replaced or removed, if it is in
// a guarded folder and not protected.
func (b *Broker) guarded(c Call, p path, makes, folder bool) (place, error) {
	here, err := b.find(c, p, false)
	switch {
	case err != nil:
		return place{}, err
	case !b.Guard.Covers(here.full):
		err = ErrElsewhere
	case makes && exists(here):
		err = unix.EEXIST
	case b.Guard.Protects(here.full) || makes && !folder && b.Guard.Leads(here.full):
		err = b.refuse(here.full, folder)
	default:
		if err = c.Valid(); err == nil {
			return here, nil
		}
	}
	here.close()
	return place{}, err
}

func exists(p place) bool {
	var st unix.Stat_t
	return unix.Fstatat(p.dir, p.name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil
}
