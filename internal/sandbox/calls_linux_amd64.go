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
	oldGuarded  = []uintptr{unix.SYS_MKNOD, unix.SYS_CREAT}
	oldMake     = []opening{{unix.SYS_CREAT, 1}, {unix.SYS_MKNOD, 1}}
)

// oldChanges is like changes, for calls without a folder argument.
var oldChanges = map[uintptr]oldChange{
	unix.SYS_MKDIR:   {0, unix.LANDLOCK_ACCESS_FS_MAKE_DIR, true},
	unix.SYS_RMDIR:   {0, unix.LANDLOCK_ACCESS_FS_REMOVE_FILE, false},
	unix.SYS_UNLINK:  {0, unix.LANDLOCK_ACCESS_FS_REMOVE_FILE, false},
	unix.SYS_RENAME:  {1, unix.LANDLOCK_ACCESS_FS_MAKE_REG, false},
	unix.SYS_LINK:    {1, unix.LANDLOCK_ACCESS_FS_MAKE_REG, false},
	unix.SYS_SYMLINK: {1, unix.LANDLOCK_ACCESS_FS_MAKE_SYM, false},
}

// Calls that do the same as others.
const (
	oldUnlink, oldRmdir, oldMkdir, oldRename, oldRenameAt uintptr = unix.SYS_UNLINK, unix.SYS_RMDIR, unix.SYS_MKDIR, unix.SYS_RENAME, unix.SYS_RENAMEAT
)
