package sandbox

import "golang.org/x/sys/unix"

const arch = unix.AUDIT_ARCH_AARCH64

var (
	oldRefused  = []uintptr{unix.SYS_NFSSERVCTL}
	oldAbsent   []uintptr
	oldMode     []uintptr
	oldMetadata []uintptr
	oldOpen     []opening
	oldMake     []opening
)
