package deputy

import (
	"maps"

	"golang.org/x/sys/unix"
)

// oldCalls adds the calls that newer architectures lack.
func oldCalls(to map[uintptr]handler) map[uintptr]handler {
	maps.Copy(to, map[uintptr]handler{
		unix.SYS_OPEN: func(d *Deputy, c Call, a [6]uint64) (Answer, error) {
			return d.open(c, at(a, 0), int(int32(a[1])), uint32(a[2]))
		},
		unix.SYS_CREAT: func(d *Deputy, c Call, a [6]uint64) (Answer, error) {
			return d.open(c, at(a, 0), unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC, uint32(a[1]))
		},
		unix.SYS_MKDIR:   func(d *Deputy, c Call, a [6]uint64) (Answer, error) { return d.mkdir(c, at(a, 0), uint32(a[1])) },
		unix.SYS_MKNOD:   func(d *Deputy, c Call, a [6]uint64) (Answer, error) { return d.mknod(c, at(a, 0), uint32(a[1])) },
		unix.SYS_UNLINK:  func(d *Deputy, c Call, a [6]uint64) (Answer, error) { return d.remove(c, at(a, 0), 0) },
		unix.SYS_RMDIR:   func(d *Deputy, c Call, a [6]uint64) (Answer, error) { return d.remove(c, at(a, 0), unix.AT_REMOVEDIR) },
		unix.SYS_SYMLINK: func(d *Deputy, c Call, a [6]uint64) (Answer, error) { return d.symlink(c, uintptr(a[0]), at(a, 1)) },
		unix.SYS_LINK:    func(d *Deputy, c Call, a [6]uint64) (Answer, error) { return d.link(c, at(a, 0), at(a, 1), 0) },
		unix.SYS_RENAME:  func(d *Deputy, c Call, a [6]uint64) (Answer, error) { return d.rename(c, at(a, 0), at(a, 1), 0) },
	})
	return to
}
