//go:build amd64 || arm64

// Package trusted opens the paths in the sandbox's rules, and follows no link that a server may
// have planted. It only checks links and who can create them. It must not know rules or servers.
package trusted

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"goated/internal/paths"
)

// Path reports whether a rule may use a path. The path must contain no links except links that only
// root can create, such as /home on some systems. A server may have planted any other link in a
// folder that it can write, to give itself or another server access elsewhere at the next start.
// Such a link looks like one of the user's, so rules follow neither. A missing path is trusted.
func Path(path string) bool {
	fd, _, err := Open(path, false)
	if err == nil {
		_ = unix.Close(fd)
	}
	return !errors.Is(err, unix.ELOOP)
}

// Open opens a path that satisfies [Path] with O_PATH, and returns its descriptor, which the caller
// must close, and its name without links. If made is true, it creates missing folders. The error for
// a link that it does not follow is ELOOP.
func Open(path string, made bool) (int, string, error) {
	if !filepath.IsAbs(path) {
		return -1, "", unix.ENOENT
	}
	path = filepath.Clean(path)
	fd, err := unix.Openat2(unix.AT_FDCWD, path, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS})
	if err == nil || errors.Is(err, unix.ENOENT) && !made {
		return fd, path, err
	}
	for range 40 { // the kernel follows as many links
		fd, at, next, err := walk(path, made)
		if err != nil || next == "" {
			return fd, at, err
		}
		path = next
	}
	return -1, "", unix.ELOOP
}

// walk is Open up to the first link that it may follow. next is the path after that link.
func walk(path string, made bool) (fd int, at, next string, err error) {
	dir, err := unix.Open("/", unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, "", "", err
	}
	at = "/"
	fixed := true // only root can change the path up to here
	names := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	for i, name := range names {
		fixed = fixed && adminOnly(dir, at)
		fd, err := unix.Openat(dir, name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if errors.Is(err, unix.ENOENT) && made {
			if err = unix.Mkdirat(dir, name, 0o700); err == nil || errors.Is(err, unix.EEXIST) {
				fd, err = unix.Openat(dir, name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
			}
		}
		_ = unix.Close(dir)
		if err != nil {
			return -1, "", "", err
		}
		var st unix.Stat_t
		if err = unix.Fstat(fd, &st); err == nil && st.Mode&unix.S_IFMT == unix.S_IFLNK {
			if next, err = linkTarget(fd); err == nil && !fixed {
				err = unix.ELOOP
			}
			_ = unix.Close(fd)
			if !filepath.IsAbs(next) {
				next = filepath.Join(at, next)
			}
			return -1, "", filepath.Join(append([]string{next}, names[i+1:]...)...), err
		}
		if err != nil {
			_ = unix.Close(fd)
			return -1, "", "", err
		}
		dir, at = fd, filepath.Join(at, name)
	}
	return dir, at, "", nil
}

// linkTarget reads an open link.
func linkTarget(link int) (string, error) {
	b := make([]byte, unix.PathMax)
	n, err := unix.Readlinkat(link, "", b)
	if err != nil {
		return "", err
	}
	return string(b[:n]), nil
}

// adminOnly reports whether only root can create links in a folder, rather than the user or a
// server. Root can write all folders. For a user who is root, adminOnly accepts only the few
// folders that contain the system's links.
func adminOnly(dir int, path string) bool {
	var st unix.Stat_t
	if err := unix.Fstat(dir, &st); err != nil || st.Mode&0o022 != 0 {
		return false
	}
	if user := os.Getuid(); user != 0 {
		return int(st.Uid) != user
	}
	return st.Uid == 0 && (slices.Contains([]string{"/", "/var", "/run"}, path) || paths.Within(path, "/etc") || paths.Within(path, "/usr"))
}
