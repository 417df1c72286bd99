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

// The rights on files. A ruleset must not use rights that the kernel's Landlock version lacks.
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
	guardedRight = readRight | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK // the folder broker does all other changes

	deviceRight = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
)

// landlockABI returns the kernel's Landlock version, or 0 without Landlock.
func landlockABI() int {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(abi)
}

// landlockSignals reports whether the kernel restricts signals to a domain, but lets the threads of
// a process signal each other. Kernels without the fix for erratum 2 do not, which would break
// goated's own threads.
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

// rulesets holds the file rules of one process. The zero value has file descriptor 0, so the owner
// must close only rulesets from newRulesets.
type rulesets struct {
	plain   int // for a process without a folder broker
	guarded int // for a process with a folder broker; plain if the policy guards no folder
}

func (r rulesets) close() {
	_ = unix.Close(r.plain)
	if r.guarded != r.plain {
		_ = unix.Close(r.guarded)
	}
}

// newRulesets creates the rulesets of a policy and the judge. The caller closes the rulesets. The
// judge treats everything that a folder broker permits in guarded folders as permitted. newRulesets
// opens each path once for both rulesets, because that takes longer than adding the rules.
func newRulesets(p Policy, s Status) (rulesets, *judge, error) {
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
	create := func() (int, error) {
		fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
		if errno != 0 {
			return -1, fmt.Errorf("creating a Landlock ruleset: %w", errno)
		}
		return int(fd), nil
	}
	fd, err := create()
	if err != nil {
		return rulesets{}, nil, err
	}
	r := rulesets{plain: fd, guarded: fd}
	if len(p.Guarded) > 0 {
		if r.guarded, err = create(); err != nil {
			_ = unix.Close(fd)
			return rulesets{}, nil, err
		}
	}
	j, err := r.fill(p, attr.Handled_access_fs)
	if err != nil {
		r.close()
		return rulesets{}, nil, err
	}
	return r, j, nil
}

// fill adds the rules of a policy.
func (r rulesets) fill(p Policy, handled uint64) (*judge, error) {
	j := &judge{handled: handled}
	for _, group := range p.rights() {
		for _, path := range group.paths {
			rule := pathRights{folder: group.folder & handled, file: group.file & handled, guarded: group.folder & handled}
			if group.folder == writeRight && slices.Contains(p.Guarded, path) {
				rule.guarded = guardedRight & handled
			}
			added, err := r.add(path, rule)
			if err != nil {
				return nil, err
			}
			if added.rights != 0 {
				j.rules = append(j.rules, added)
			}
		}
	}
	return j, nil
}

// procPaths returns /proc if the process is in a bubble, because that shows no other processes.
func (p Policy) procPaths() []string {
	if !p.Bubble {
		return nil
	}
	return []string{"/proc"}
}

// soundPaths returns the sound devices if the process may use the user's other programs. Without a
// sound server, players open the devices themselves.
func (p Policy) soundPaths() []string {
	if !p.Desktop {
		return nil
	}
	return []string{"/dev/snd"}
}

// pathRights holds the rights on a path if it is a folder, if it is a folder that a folder broker
// guards, and if it is anything else.
type pathRights struct{ folder, guarded, file uint64 }

// add adds a path to the rulesets, and returns its rule without a broker. It skips paths that are
// missing, that the user cannot reach, or that [trusted.Open] rejects.
func (r rulesets) add(path string, rights pathRights) (pathRule, error) {
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
	plain, guarded := rights.file, rights.file
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		plain, guarded = rights.folder, rights.guarded
	}
	err = addRule(r.plain, fd, plain)
	if err == nil && r.guarded != r.plain {
		err = addRule(r.guarded, fd, guarded)
	}
	if err != nil {
		return pathRule{}, fmt.Errorf("allowing %s in the sandbox: %w", path, err)
	}
	return pathRule{at, plain}, nil
}

// addRule adds an open path to one ruleset. Landlock refuses a rule without rights.
func addRule(ruleset, path int, rights uint64) error {
	if rights == 0 {
		return nil
	}
	rule := unix.LandlockPathBeneathAttr{Parent_fd: int32(path), Allowed_access: rights}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
