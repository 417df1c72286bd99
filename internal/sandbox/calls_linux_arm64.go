package sandbox

import "golang.org/x/sys/unix"

const arch = unix.AUDIT_ARCH_AARCH64

var (
	oldRefused  = []uintptr{unix.SYS_NFSSERVCTL}
	oldAbsent   []uintptr
	oldMode     []uintptr
	oldMetadata []uintptr
	oldOpen     []opening
	oldGuarded  []uintptr
	oldMake     []opening
)

var oldChanges map[uintptr]oldChange

// Placeholder numbers for calls that this architecture lacks.
const oldUnlink, oldRmdir, oldMkdir, oldRename, oldRenameAt uintptr = 1 << 20, 1<<20 + 1, 1<<20 + 2, 1<<20 + 3, unix.SYS_RENAMEAT
