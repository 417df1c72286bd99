//go:build amd64 || arm64

// Package caller reads the arguments of a system call that waits for a notifier: the process's
// memory, its open files, and the files that its paths name.
//
// It owns no policy. The process may change the data in the meantime. Code that acts on a result
// must check afterwards that the process still waits.
package caller

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// String reads a zero-terminated string of a process.
func String(pid int, address uintptr) (string, error) {
	var out []byte
	for len(out) < unix.PathMax {
		// Stop at the end of the page, because the next one may not be mapped.
		b := make([]byte, min(256, 4096-(address+uintptr(len(out)))%4096))
		if err := Memory(pid, address+uintptr(len(out)), b); err != nil {
			return "", err
		}
		if i := bytes.IndexByte(b, 0); i >= 0 {
			return string(append(out, b[:i]...)), nil
		}
		out = append(out, b...)
	}
	return "", unix.ENAMETOOLONG
}

// Memory fills b with the process's memory.
func Memory(pid int, address uintptr, b []byte) error {
	local := []unix.Iovec{{Base: &b[0]}}
	local[0].SetLen(len(b))
	n, err := unix.ProcessVMReadv(pid, local, []unix.RemoteIovec{{Base: address, Len: len(b)}}, 0)
	if err == nil && n != len(b) {
		err = unix.EFAULT
	}
	return err
}

// Reopen opens the file behind a process's descriptor with O_PATH. The process may have opened it
// only for reading.
func Reopen(pid int, number int32) (int, error) {
	file, err := unix.Open(descriptor(pid, number), unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) {
		err = unix.EBADF
	}
	return file, err
}

func descriptor(pid int, number int32) string {
	return "/proc/" + strconv.Itoa(pid) + "/fd/" + strconv.Itoa(int(number))
}

// base returns the path of the folder relative to which a process resolves a path.
func base(pid int, dirfd int32) string {
	if dirfd == unix.AT_FDCWD {
		return "/proc/" + strconv.Itoa(pid) + "/cwd"
	}
	return descriptor(pid, dirfd)
}

// Open opens with O_PATH the file that a process's path names. It uses only AT_SYMLINK_NOFOLLOW
// from flags.
func Open(pid int, dirfd int32, address uintptr, flags int) (int, error) {
	name, err := String(pid, address)
	if err != nil {
		return -1, err
	}
	at, err := Folder(pid, dirfd, name)
	if err != nil {
		return -1, err
	}
	if at != unix.AT_FDCWD {
		defer unix.Close(at)
	}
	mode := unix.O_PATH | unix.O_CLOEXEC
	if flags&unix.AT_SYMLINK_NOFOLLOW != 0 {
		mode |= unix.O_NOFOLLOW
	}
	return unix.Openat(at, Own(pid, name), mode, 0)
}

// Folder opens the folder relative to which a process resolves a path. It returns AT_FDCWD for an
// absolute path. Otherwise the caller must close the result.
func Folder(pid int, dirfd int32, name string) (int, error) {
	if filepath.IsAbs(name) {
		return unix.AT_FDCWD, nil
	}
	return unix.Open(base(pid, dirfd), unix.O_PATH|unix.O_CLOEXEC, 0)
}

// Path returns a process's path as an absolute path. It does not follow links.
func Path(pid int, dirfd int32, address uintptr) (string, error) {
	name, err := String(pid, address)
	if err != nil || name == "" {
		return "", unix.ENOENT
	}
	if filepath.IsAbs(name) {
		return filepath.Clean(name), nil
	}
	at, err := os.Readlink(base(pid, dirfd))
	if err != nil || !filepath.IsAbs(at) {
		return "", unix.ENOENT
	}
	return filepath.Join(at, name), nil
}

// Own replaces names in a path by which a process refers to itself, such as /proc/self. In this
// process they would refer to goated.
func Own(pid int, name string) string {
	self := "/proc/" + strconv.Itoa(pid)
	for _, own := range [][2]string{
		{"/proc/self", self}, {"/proc/thread-self", self}, {"/dev/fd", self + "/fd"},
		{"/dev/stdin", self + "/fd/0"}, {"/dev/stdout", self + "/fd/1"}, {"/dev/stderr", self + "/fd/2"},
	} {
		if rest, ok := strings.CutPrefix(name, own[0]); ok && (rest == "" || rest[0] == '/') {
			return own[1] + rest
		}
	}
	return name
}

// Umask returns the permission bits that a process removes from the files that it creates.
func Umask(pid int) uint32 {
	const most = 0o077 // if unknown, nobody else may use the file
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return most
	}
	_, rest, ok := bytes.Cut(status, []byte("\nUmask:\t"))
	digits, _, _ := bytes.Cut(rest, []byte("\n"))
	mask, err := strconv.ParseUint(string(digits), 8, 32)
	if !ok || err != nil {
		return most
	}
	return uint32(mask)
}

// Traceable reports whether ptrace can stop a child. It cannot while a debugger traces
// goated and its children, or if the system forbids it.
func Traceable() bool {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil || !bytes.Contains(status, []byte("TracerPid:\t0\n")) {
		return false
	}
	scope, err := os.ReadFile("/proc/sys/kernel/yama/ptrace_scope")
	return err != nil || bytes.Equal(bytes.TrimSpace(scope), []byte("0")) || bytes.Equal(bytes.TrimSpace(scope), []byte("1"))
}
