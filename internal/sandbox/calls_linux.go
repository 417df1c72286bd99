//go:build amd64 || arm64

package sandbox

import (
	"slices"

	"golang.org/x/sys/unix"
)

// namespaces are the flags of clone and unshare that create namespaces, which expose more
// of the kernel to attacks.
const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER |
	unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWTIME

// refusedCalls always fail: they affect other processes, reach rarely used parts of the
// kernel, or bypass Landlock.
var refusedCalls = []uintptr{
	// other processes' memory, files and scheduling
	unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE, unix.SYS_PROCESS_MRELEASE,
	unix.SYS_PIDFD_GETFD, unix.SYS_KCMP, unix.SYS_MOVE_PAGES, unix.SYS_MIGRATE_PAGES, unix.SYS_GET_ROBUST_LIST,
	// memory and queues that all programs of a user share
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_SEMCTL,
	unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	// other views of the file system
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_SETNS, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE,
	unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_STATMOUNT, unix.SYS_LISTMOUNT,
	unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_FANOTIFY_INIT, unix.SYS_FANOTIFY_MARK, unix.SYS_LOOKUP_DCOOKIE,
	unix.SYS_INOTIFY_ADD_WATCH, // works on unreadable folders; see absentCalls
	// large attack surfaces of the kernel
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_PERSONALITY,
	// the machine
	unix.SYS_REBOOT, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SYSLOG, unix.SYS_VHANGUP,
	unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX,
}

// absentCalls fail as on a kernel without them, so that programs use calls that the filter
// can judge.
var absentCalls = []uintptr{
	unix.SYS_CLONE3, unix.SYS_OPENAT2, // their flags are in memory, which a filter can't read
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_FCHMODAT2,
	// limited for the user or the machine
	unix.SYS_INOTIFY_INIT1, unix.SYS_IO_SETUP,
}

// reroutingOptions are socket options that send packets elsewhere than to the connected
// address.
var reroutingOptions = []struct {
	level uint32
	names []uint32
}{
	{unix.IPPROTO_IP, []uint32{unix.IP_OPTIONS}},
	{unix.IPPROTO_IPV6, []uint32{unix.IPV6_RTHDR, 5, 6}}, // IPV6_2292RTHDR, IPV6_2292PKTOPTIONS
	{unix.IPPROTO_TCP, []uint32{unix.TCP_ULP}},
}

// policyRules returns the rules of a policy. hosts are processes that the new one must not
// touch; spawner is the thread that starts it, which is in the same Landlock domain. With
// notify, the notifier changes modes and times; with connects, it connects TCP sockets. private says
// that the process has a network of its own.
func policyRules(p Policy, hosts []int, spawner int, notify, connects, private bool) []rule {
	listed := notify && p.ConnectsLocally() && !p.Desktop
	p.Desktop = p.Desktop || p.ConnectsLocally() && !notify // nothing else can tell sockets apart
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
	if notify {
		done = 0
	}
	out = append(out, fileRules(done)...)

	families := []uint32{}
	if p.Network == AnyNetwork {
		families = append(families, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK)
		refuse(unix.EACCES, unix.SYS_SOCKET, condition{arg: 0, in: []uint32{unix.AF_NETLINK}}, condition{arg: 2, in: []uint32{unix.NETLINK_ROUTE}, not: true})
	}
	const kinds = 0xf // of a socket, without flags
	if connects {
		families = append(families, unix.AF_INET, unix.AF_INET6)
		internet := condition{arg: 0, in: []uint32{unix.AF_INET, unix.AF_INET6}}
		types, protocols := []uint32{unix.SOCK_STREAM}, []uint32{0, unix.IPPROTO_TCP}
		if private { // its packets reach only the resolver
			types, protocols = append(types, unix.SOCK_DGRAM), append(protocols, unix.IPPROTO_UDP)
		}
		refuse(unix.EACCES, unix.SYS_SOCKET, internet, condition{arg: 1, mask: kinds, in: types, not: true})
		refuse(unix.EACCES, unix.SYS_SOCKET, internet, condition{arg: 2, in: protocols, not: true})
		refuse(0, unix.SYS_CONNECT)
		if p.Desktop {
			refuse(0, unix.SYS_LISTEN)
		} else if private && !listed { // outside a private network, names of sockets are the computer's
			out = append(out, browserRules(p.Browser)...)
		}
		if p.Browser && private {
			families = append(families, unix.AF_UNIX)
		} else if !p.Desktop && !listed {
			refuse(unix.EACCES, unix.SYS_LISTEN)
		}
		// Sending can connect too.
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
	switch {
	case p.Desktop:
		families = append(families, unix.AF_UNIX)
	case listed:
		families = append(families, unix.AF_UNIX)
		refuse(0, unix.SYS_CONNECT)
		refuse(unix.EACCES, unix.SYS_LISTEN)
		out = append(out, onlyStreams())
	}
	if len(families) == 0 {
		refuse(unix.EACCES, unix.SYS_SOCKET)
	} else {
		refuse(unix.EACCES, unix.SYS_SOCKET, condition{arg: 0, in: families, not: true})
	}
	refuse(unix.EACCES, unix.SYS_SOCKETPAIR, condition{arg: 0, in: []uint32{unix.AF_UNIX}, not: true})
	if !p.Desktop {
		// One end of any other pair can send to each socket with a path.
		pairs := condition{arg: 1, mask: kinds, in: []uint32{unix.SOCK_STREAM, unix.SOCK_SEQPACKET}, not: true}
		refuse(unix.EACCES, unix.SYS_SOCKETPAIR, pairs)
	}

	refuse(unix.EPERM, unix.SYS_CLONE, condition{arg: 0, mask: namespaces &^ unix.CLONE_NEWTIME, in: []uint32{0}, not: true})
	refuse(unix.EPERM, unix.SYS_UNSHARE, condition{arg: 0, mask: namespaces, in: []uint32{0}, not: true})
	// Only the requests that Start needs, to stop the child and continue it.
	refuse(unix.EPERM, unix.SYS_PTRACE, condition{arg: 0, in: []uint32{unix.PTRACE_TRACEME, unix.PTRACE_DETACH}, not: true})
	out = append(out, ioctlRule(p))

	// Calls that change a process by its number may change only the caller.
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

	// Landlock lets signals reach the spawner, which is in the same domain, and they
	// would end all of goated.
	guarded := []uint32{uint32(spawner)}
	for _, pid := range hosts {
		if pid > 0 { // 0 stands for an invisible process, and in kill for the own group
			guarded = append(guarded, uint32(pid))
		}
	}
	for _, nr := range signalCalls {
		refuse(unix.EPERM, nr, condition{arg: 0, in: guarded})
	}
	for _, nr := range []uintptr{unix.SYS_TGKILL, unix.SYS_RT_TGSIGQUEUEINFO} {
		refuse(unix.EPERM, nr, condition{arg: 1, in: []uint32{uint32(spawner)}})
	}
	refuse(unix.EPERM, unix.SYS_FCNTL, condition{arg: 1, in: []uint32{unix.F_SETOWN_EX}}) // the target of the signals is in memory
	return out
}
