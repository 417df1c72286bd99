//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"

	"goated/internal/sandbox/trusted"
)

// The rights on files. A ruleset must not use rights that the kernel's ABI lacks.
const (
	rightsV1 = unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1 // all rights of ABI 1

	readFile  = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE
	readRight = readFile | unix.LANDLOCK_ACCESS_FS_READ_DIR

	writeFile  = readFile | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	writeRight = readRight | writeFile | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER

	lookRight    = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	ioctl        = unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	guardedRight = readRight | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK // the folder broker makes all other changes

	deviceRight = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
)

// landlockABI returns the kernel's version of Landlock, 0 if it has none.
func landlockABI() int {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(abi)
}

// landlockSignals reports whether the kernel restricts signals to a domain and lets the
// threads of a process signal each other. Without the fix of erratum 2 it does not, which
// would break goated's own threads.
func landlockSignals(abi int) bool {
	if abi < 6 {
		return false
	}
	errata, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_ERRATA)
	return errno == 0 && errata&(1<<1) != 0
}

// handledRights returns the rights on files that an ABI restricts.
func handledRights(abi int) uint64 {
	rights := uint64(rightsV1)
	if abi >= 2 {
		rights |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= 3 {
		rights |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= 5 {
		rights |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	return rights
}

// ruleset creates the ruleset of a policy: a file descriptor that the caller closes, and
// the judge, which takes what a folder broker permits in guarded folders for permitted.
func ruleset(p Policy, s Status, guarded []string) (int, *judge, error) {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: handledRights(s.Landlock)}
	size := unsafe.Sizeof(attr.Handled_access_fs)
	if s.Landlock >= 4 {
		size += unsafe.Sizeof(attr.Handled_access_net)
		if p.Network != AnyNetwork {
			attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
		}
	}
	if s.Landlock >= 6 {
		size += unsafe.Sizeof(attr.Scoped)
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
		if landlockSignals(s.Landlock) {
			attr.Scoped |= unix.LANDLOCK_SCOPE_SIGNAL
		}
	}
	r, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return -1, nil, fmt.Errorf("creating a Landlock ruleset: %w", errno)
	}
	fd, j := int(r), &judge{handled: attr.Handled_access_fs}
	for _, group := range p.rights() {
		for _, path := range group.paths {
			folder := group.folder
			if folder == writeRight && slices.Contains(guarded, path) {
				folder = guardedRight
			}
			added, err := addRule(fd, path, folder&attr.Handled_access_fs, group.file&attr.Handled_access_fs)
			if err != nil {
				_ = unix.Close(fd)
				return -1, nil, err
			}
			if folder == guardedRight {
				added.rights |= writeRight & attr.Handled_access_fs
			}
			if added.rights != 0 {
				j.rules = append(j.rules, added)
			}
		}
	}
	return fd, j, nil
}

// procPaths is /proc in a bubble, which shows no other processes.
func (p Policy) procPaths() []string {
	if !p.Bubble {
		return nil
	}
	return []string{"/proc"}
}

// soundPaths returns the sound devices, for a process that may use the user's other programs:
// without a sound server, a player opens them itself.
func (p Policy) soundPaths() []string {
	if !p.Desktop {
		return nil
	}
	return []string{"/dev/snd"}
}

// addRule adds a path to a ruleset, and returns the rule. It skips paths that are missing,
// that the user cannot reach, or that do not stand.
func addRule(ruleset int, path string, folder, file uint64) (pathRule, error) {
	fd, at, err := trusted.Open(path, false)
	switch {
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.EACCES), errors.Is(err, unix.ELOOP):
		return pathRule{}, nil
	case err != nil:
		return pathRule{}, fmt.Errorf("opening %s for the sandbox: %w", path, err)
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return pathRule{}, fmt.Errorf("checking %s for the sandbox: %w", path, err)
	}
	rule := unix.LandlockPathBeneathAttr{Parent_fd: int32(fd), Allowed_access: file}
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		rule.Allowed_access = folder
	}
	if rule.Allowed_access == 0 {
		return pathRule{}, nil
	}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return pathRule{}, fmt.Errorf("allowing %s in the sandbox: %w", path, errno)
	}
	return pathRule{at, rule.Allowed_access}, nil
}
