//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"goated/internal/paths"
)

// Trusted reports whether a rule may name a path: the path contains no links except those
// that only the administrator can create, such as /home on some systems. A server may
// have planted any other link, in a folder that it can write, to give itself or another
// server access elsewhere at the next start. It looks like a link of the user, so rules
// follow neither. A missing path is trusted.
func Trusted(path string) bool {
	fd, _, err := openTrusted(path, false)
	if err == nil {
		_ = unix.Close(fd)
	}
	return !errors.Is(err, unix.ELOOP)
}

// openTrusted opens a path for which [Trusted] holds with O_PATH, and returns its name
// without links. It creates missing folders if made is true.
func openTrusted(path string, made bool) (int, string, error) {
	if !filepath.IsAbs(path) {
		return -1, "", unix.ENOENT
	}
	path = filepath.Clean(path)
	fd, err := unix.Openat2(unix.AT_FDCWD, path, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS})
	if err == nil || errors.Is(err, unix.ENOENT) && !made {
		return fd, path, err
	}
	for range 40 { // the kernel follows as many links
		fd, at, next, err := walkTrusted(path, made)
		if err != nil || next == "" {
			return fd, at, err
		}
		path = next
	}
	return -1, "", unix.ELOOP
}

// walkTrusted is openTrusted up to the first link that it may follow; next is the path after
// that link.
func walkTrusted(path string, made bool) (fd int, at, next string, err error) {
	dir, err := unix.Open("/", unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, "", "", err
	}
	at = "/"
	fixed := true // only the administrator can change the path up to here
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

// adminOnly reports whether only the administrator can create links in a folder, and not
// the user or a server. Root can write all folders, so for root it is only the few that
// contain links of the system.
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

// prepare creates the writable folders and removes old temporary files. If that fails,
// for example on a full disk, the process starts anyway. It returns p with the writable
// paths for which Trusted holds, without links.
func (p Policy) prepare() Policy {
	all := func(paths []string, made bool) []string {
		var out []string
		for _, path := range paths {
			if fd, at, err := openTrusted(path, made); err == nil {
				_ = unix.Close(fd)
				out = append(out, at)
			}
		}
		return out
	}
	one := func(path string) string {
		if path == "" {
			return ""
		}
		return strings.Join(all([]string{path}, true), "")
	}
	p.Write, p.State, p.Temp, p.Packages.Store = all(p.Write, true), one(p.State), one(p.Temp), one(p.Packages.Store)
	p.Present = all(p.Present, false)
	p.Guarded = slices.DeleteFunc(all(p.Guarded, false), func(path string) bool {
		info, err := os.Lstat(path)
		return err != nil || !info.IsDir() || !slices.Contains(p.writable(), path)
	})
	for _, path := range p.writable() { // a file comes with what belongs to it
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			p.Files = union(p.Files, []string{path})
		}
	}
	p.removeOldTemp()
	return p
}
