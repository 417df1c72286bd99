package folderbroker

import (
	"maps"

	"golang.org/x/sys/unix"
)

// oldCalls adds the calls that newer architectures lack.
func oldCalls(to map[uintptr]handler) map[uintptr]handler {
	maps.Copy(to, map[uintptr]handler{
		unix.SYS_OPEN: func(b *Broker, c Call, a [6]uint64) (Answer, error) {
			return b.open(c, at(a, 0), int(int32(a[1])), uint32(a[2]))
		},
		unix.SYS_CREAT: func(b *Broker, c Call, a [6]uint64) (Answer, error) {
			return b.open(c, at(a, 0), unix.O_WRONLY|unix.O_CREAT|unix.O_TRUNC, uint32(a[1]))
		},
		unix.SYS_MKDIR:   func(b *Broker, c Call, a [6]uint64) (Answer, error) { return b.mkdir(c, at(a, 0), uint32(a[1])) },
		unix.SYS_MKNOD:   func(b *Broker, c Call, a [6]uint64) (Answer, error) { return b.mknod(c, at(a, 0), uint32(a[1])) },
		unix.SYS_UNLINK:  func(b *Broker, c Call, a [6]uint64) (Answer, error) { return b.remove(c, at(a, 0), 0) },
		unix.SYS_RMDIR:   func(b *Broker, c Call, a [6]uint64) (Answer, error) { return b.remove(c, at(a, 0), unix.AT_REMOVEDIR) },
		unix.SYS_SYMLINK: func(b *Broker, c Call, a [6]uint64) (Answer, error) { return b.symlink(c, uintptr(a[0]), at(a, 1)) },
		unix.SYS_LINK:    func(b *Broker, c Call, a [6]uint64) (Answer, error) { return b.link(c, at(a, 0), at(a, 1), 0) },
		unix.SYS_RENAME:  func(b *Broker, c Call, a [6]uint64) (Answer, error) { return b.rename(c, at(a, 0), at(a, 1), 0) },
	})
	return to
}
