//go:build amd64 || arm64

package sandbox

import (
	"slices"

	"golang.org/x/sys/unix"
)

// namespaces are the flags of clone and unshare that make a process root of a
// world of its own, where the kernel has more to attack.
const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER |
	unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWTIME

// refusedCalls fail whatever their arguments: they lead to other processes, to the
// kernel's rarer parts, or to what Landlock does not guard.
var refusedCalls = []uintptr{
	// other processes' memory, files and scheduling
	unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE, unix.SYS_PROCESS_MRELEASE,
	unix.SYS_PIDFD_GETFD, unix.SYS_KCMP, unix.SYS_MOVE_PAGES, unix.SYS_MIGRATE_PAGES, unix.SYS_GET_ROBUST_LIST,
	// memory and queues that all of a user's programs share
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_SEMCTL,
	unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	// another view of the files
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_SETNS, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE,
	unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_STATMOUNT, unix.SYS_LISTMOUNT,
	unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_FANOTIFY_INIT, unix.SYS_FANOTIFY_MARK, unix.SYS_LOOKUP_DCOOKIE,
	unix.SYS_INOTIFY_ADD_WATCH, // tells of folders that cannot be read, see absent
	// the kernel's wide doors
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_PERSONALITY,
	// the machine
	unix.SYS_REBOOT, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SYSLOG, unix.SYS_VHANGUP,
	unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX,
}

// absentCalls are answered as by a kernel that does not have them: programs then do
// it in the way that can be looked at.
var absentCalls = []uintptr{
	unix.SYS_CLONE3, unix.SYS_OPENAT2, // their flags are in memory, where a filter does not see
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_FCHMODAT2,
	// a few of these are all that a user, or the machine, has
	unix.SYS_INOTIFY_INIT1, unix.SYS_IO_SETUP,
}

// reroutingOptions are the options of a socket that have its packets go another way than
// to the address that it was connected to.
var reroutingOptions = []struct {
	level uint32
	names []uint32
}{
	{unix.IPPROTO_IP, []uint32{unix.IP_OPTIONS}},
	{unix.IPPROTO_IPV6, []uint32{unix.IPV6_RTHDR, 5, 6}}, // IPV6_2292RTHDR, IPV6_2292PKTOPTIONS
	{unix.IPPROTO_TCP, []uint32{unix.TCP_ULP}},
}

// policyRules are the policy's. hosts are the processes that must not be touched, spawner
// the thread that makes the new one, and is in the same Landlock domain. With
// a deputy, a mode and a time can be changed where the process may write; with
// one that connects, too, a socket of TCP can be had.
func policyRules(p Policy, hosts []int, spawner int, deputy, connects bool) []rule {
	var out []rule
	refuse := func(errno unix.Errno, nr uintptr, where ...condition) {
		out = append(out, rule{nr: nr, errno: errno, where: where})
	}
	for _, nr := range slices.Concat(refusedCalls, oldRefused) {
		refuse(unix.EPERM, nr)
	}
	for _, nr := range slices.Concat(absentCalls, oldAbsent) {
		refuse(unix.ENOSYS, nr)
	}
	done := unix.EPERM
	if deputy {
		done = 0
	}
	out = append(out, fileRules(done)...)

	families := []uint32{}
	if p.Network == AnyNetwork {
		families = append(families, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK)
		refuse(unix.EACCES, unix.SYS_SOCKET, condition{arg: 0, in: []uint32{unix.AF_NETLINK}}, condition{arg: 2, in: []uint32{unix.NETLINK_ROUTE}, not: true})
	}
	const kinds = 0xf // of a socket, without its flags
	if connects {
		families = append(families, unix.AF_INET, unix.AF_INET6)
		internet := condition{arg: 0, in: []uint32{unix.AF_INET, unix.AF_INET6}}
		refuse(unix.EACCES, unix.SYS_SOCKET, internet, condition{arg: 1, mask: kinds, in: []uint32{unix.SOCK_STREAM}, not: true})
		refuse(unix.EACCES, unix.SYS_SOCKET, internet, condition{arg: 2, in: []uint32{0, unix.IPPROTO_TCP}, not: true})
		refuse(0, unix.SYS_CONNECT)
		if p.Desktop {
			refuse(0, unix.SYS_LISTEN)
		} else {
			refuse(unix.EACCES, unix.SYS_LISTEN)
		}
		// To connect while sending.
		none := condition{mask: unix.MSG_FASTOPEN, in: []uint32{0}, not: true}
		none.arg = 3
		refuse(unix.EACCES, unix.SYS_SENDTO, none)
		refuse(unix.EACCES, unix.SYS_SENDMMSG, none)
		none.arg = 2
		refuse(unix.EACCES, unix.SYS_SENDMSG, none)
		for _, o := range reroutingOptions {
			refuse(unix.EACCES, unix.SYS_SETSOCKOPT, condition{arg: 1, in: []uint32{o.level}}, condition{arg: 2, in: o.names})
		}
	}
	if p.Desktop {
		families = append(families, unix.AF_UNIX)
	}
	if len(families) == 0 {
		refuse(unix.EACCES, unix.SYS_SOCKET)
	} else {
		refuse(unix.EACCES, unix.SYS_SOCKET, condition{arg: 0, in: families, not: true})
	}
	refuse(unix.EACCES, unix.SYS_SOCKETPAIR, condition{arg: 0, in: []uint32{unix.AF_UNIX}, not: true})
	if !p.Desktop {
		// One end of any other pair sends to whoever's socket, by its path.
		pairs := condition{arg: 1, mask: kinds, in: []uint32{unix.SOCK_STREAM, unix.SOCK_SEQPACKET}, not: true}
		refuse(unix.EACCES, unix.SYS_SOCKETPAIR, pairs)
	}

	refuse(unix.EPERM, unix.SYS_CLONE, condition{arg: 0, mask: namespaces &^ unix.CLONE_NEWTIME, in: []uint32{0}, not: true})
	refuse(unix.EPERM, unix.SYS_UNSHARE, condition{arg: 0, mask: namespaces, in: []uint32{0}, not: true})
	// Only what Start itself needs: the child asks to be traced, and is let go.
	refuse(unix.EPERM, unix.SYS_PTRACE, condition{arg: 0, in: []uint32{unix.PTRACE_TRACEME, unix.PTRACE_DETACH}, not: true})
	out = append(out, ioctlRule(p))

	// What changes a process by its number may change the caller alone.
	for _, nr := range []uintptr{
		unix.SYS_PRLIMIT64, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR, unix.SYS_SCHED_SETAFFINITY,
	} {
		refuse(unix.EPERM, nr, condition{arg: 0, in: []uint32{0}, not: true})
	}
	for _, nr := range []uintptr{unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET} {
		const process, ioProcess = 0, 1 // PRIO_PROCESS, IOPRIO_WHO_PROCESS
		own := uint32(process)
		if nr == unix.SYS_IOPRIO_SET {
			own = ioProcess
		}
		refuse(unix.EPERM, nr, condition{arg: 0, in: []uint32{own}, not: true})
		refuse(unix.EPERM, nr, condition{arg: 1, in: []uint32{0}, not: true})
	}

	// The thread that makes the process is in its domain, where Landlock lets
	// signals pass, and takes all of goated along.
	guarded := []uint32{uint32(spawner)}
	for _, pid := range hosts {
		if pid > 0 { // 0 is whom it cannot see, and for kill its own group
			guarded = append(guarded, uint32(pid))
		}
	}
	for _, nr := range signalCalls {
		refuse(unix.EPERM, nr, condition{arg: 0, in: guarded})
	}
	for _, nr := range []uintptr{unix.SYS_TGKILL, unix.SYS_RT_TGSIGQUEUEINFO} {
		refuse(unix.EPERM, nr, condition{arg: 1, in: []uint32{uint32(spawner)}})
	}
	refuse(unix.EPERM, unix.SYS_FCNTL, condition{arg: 1, in: []uint32{unix.F_SETOWN_EX}}) // signals a thread, by what is in memory
	return out
}
