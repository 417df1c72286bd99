//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The rights on files, by the ABI that brought them. What a kernel does not
// know must not be asked of it.
const (
	rightsV1 = unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1 // everything up to links

	readFile  = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE
	readRight = readFile | unix.LANDLOCK_ACCESS_FS_READ_DIR

	writeFile  = readFile | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	writeRight = readRight | writeFile | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER

	lookRight   = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	ioctl       = unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	deviceRight = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
)

// landlockABI is the kernel's version of Landlock, 0 if it has none.
func landlockABI() int {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(abi)
}

// landlockSignals reports whether the kernel keeps signals in a domain, and
// still lets the threads of a process signal each other: its second erratum is
// that it did not, which would hurt goated's own.
func landlockSignals(abi int) bool {
	if abi < 6 {
		return false
	}
	errata, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_ERRATA)
	return errno == 0 && errata&(1<<1) != 0
}

// handledRights are the rights on files that an ABI can take away.
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

// ruleset makes the policy's ruleset, which is a file descriptor that the
// caller closes.
func ruleset(p Policy, s Status) (int, error) {
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
		return -1, fmt.Errorf("making a Landlock ruleset: %w", errno)
	}
	fd := int(r)
	for _, group := range []struct {
		paths        []string
		folder, file uint64
	}{
		{paths: p.System, folder: readRight, file: readFile},
		{paths: p.Read, folder: readRight, file: readFile},
		{paths: devices, file: deviceRight},
		{paths: p.procPaths(), folder: lookRight, file: unix.LANDLOCK_ACCESS_FS_READ_FILE},
		{paths: p.soundPaths(), folder: deviceRight | readRight | ioctl, file: deviceRight | ioctl},
		{paths: p.writable(), folder: writeRight, file: writeFile},
	} {
		for _, path := range group.paths {
			if err := addRule(fd, path, group.folder&attr.Handled_access_fs, group.file&attr.Handled_access_fs); err != nil {
				_ = unix.Close(fd)
				return -1, err
			}
		}
	}
	return fd, nil
}

// procPaths is where the process finds out about itself and those it started:
// where there are no others.
func (p Policy) procPaths() []string {
	if !p.Bubble {
		return nil
	}
	return []string{"/proc"}
}

// soundPaths is the devices of those who may use the user's other programs: without
// a sound server, a player talks to them itself.
func (p Policy) soundPaths() []string {
	if !p.Desktop {
		return nil
	}
	return []string{"/dev/snd"}
}

// addRule adds a path to a ruleset. What does not exist, cannot be reached by the
// user either, or does not stand, is left out.
func addRule(ruleset int, path string, folder, file uint64) error {
	fd, _, err := openTrusted(path, false)
	switch {
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.EACCES), errors.Is(err, unix.ELOOP):
		return nil
	case err != nil:
		return fmt.Errorf("opening %s for the sandbox: %w", path, err)
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return fmt.Errorf("looking at %s for the sandbox: %w", path, err)
	}
	rule := unix.LandlockPathBeneathAttr{Parent_fd: int32(fd), Allowed_access: file}
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		rule.Allowed_access = folder
	}
	if rule.Allowed_access == 0 {
		return nil
	}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("allowing %s in the sandbox: %w", path, errno)
	}
	return nil
}
