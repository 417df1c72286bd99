//go:build amd64 || arm64

package sandbox

import (
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"goated/internal/paths"
)

// A pathRule gives Landlock rights on a path and everything below it.
type pathRule struct {
	path   string
	rights uint64
}

// A judge has the file rules of a process. It predicts which calls the kernel refuses. It only
// reports them, because the kernel decides.
type judge struct {
	handled uint64
	rules   []pathRule
}

// rights returns the rules of p for a kernel with all rights. Folders and files among the paths have
// different rights.
func (p Policy) rights() []struct {
	paths        []string
	folder, file uint64
} {
	return []struct {
		paths        []string
		folder, file uint64
	}{
		{paths: p.System, folder: readRight, file: readFile},
		{paths: p.Read, folder: readRight, file: readFile},
		{paths: devices, file: deviceRight},
		{paths: p.procPaths(), folder: lookRight, file: unix.LANDLOCK_ACCESS_FS_READ_FILE},
		{paths: p.soundPaths(), folder: deviceRight | readRight | ioctl, file: deviceRight | ioctl},
		{paths: p.writable(), folder: writeRight, file: writeFile},
	}
}

// allows reports whether the rules give all of these rights on a path without links.
func (j *judge) allows(path string, rights uint64) bool {
	rights &= j.handled
	for _, r := range j.rules {
		if paths.Within(path, r.path) {
			if rights &^= r.rights; rights == 0 {
				return true
			}
		}
	}
	return rights == 0
}

// opens reports whether a path without links can be opened with flags. made means that the call
// creates the file.
func (j *judge) opens(path string, flags int, made bool) bool {
	rights := uint64(0)
	switch flags & unix.O_ACCMODE {
	case unix.O_RDONLY:
		rights = unix.LANDLOCK_ACCESS_FS_READ_FILE
	case unix.O_WRONLY:
		rights = unix.LANDLOCK_ACCESS_FS_WRITE_FILE
	case unix.O_RDWR:
		rights = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE
	}
	if flags&unix.O_TRUNC != 0 && !made {
		rights |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	return j.allows(path, rights) && (!made || j.allows(filepath.Dir(path), unix.LANDLOCK_ACCESS_FS_MAKE_REG))
}

// leadsToReadable reports whether the process can read the path or something below it. If so, the
// observer does not report a refused listing of it.
func (j *judge) leadsToReadable(path string) bool {
	return slices.ContainsFunc(j.rules, func(r pathRule) bool { return paths.Within(r.path, path) })
}
