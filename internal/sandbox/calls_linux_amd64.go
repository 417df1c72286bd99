package sandbox

import "golang.org/x/sys/unix"

const arch = unix.AUDIT_ARCH_X86_64

// Calls that newer architectures lack.
var (
	oldRefused = []uintptr{
		unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT, unix.SYS_USELIB, unix.SYS_USTAT, unix.SYS_SYSFS,
		unix.SYS__SYSCTL, unix.SYS_CREATE_MODULE, unix.SYS_GET_KERNEL_SYMS, unix.SYS_QUERY_MODULE, unix.SYS_NFSSERVCTL,
		unix.SYS_EPOLL_CTL_OLD, unix.SYS_EPOLL_WAIT_OLD,
	}
	oldAbsent   = []uintptr{unix.SYS_INOTIFY_INIT}
	oldMode     = []uintptr{unix.SYS_CHMOD}
	oldMetadata = []uintptr{unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT}
	oldOpen     = []opening{{unix.SYS_OPEN, 1}}
	oldMake     = []opening{{unix.SYS_CREAT, 1}, {unix.SYS_MKNOD, 1}}
)
