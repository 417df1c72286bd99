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

// absentCalls fail like on a kernel without them, so that programs fall back to calls that the
// filter can judge.
var absentCalls = []uintptr{
	unix.SYS_CLONE3, unix.SYS_OPENAT2, // their flags are in memory, which a filter cannot read
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_FCHMODAT2,
	// limited for the user or the machine
	unix.SYS_INOTIFY_INIT1, unix.SYS_IO_SETUP,
}

// reroutingOptions are socket options that send packets to another address than the connected one.
var reroutingOptions = []struct {
	level uint32
	names []uint32
}{
	{unix.IPPROTO_IP, []uint32{unix.IP_OPTIONS}},
	{unix.IPPROTO_IPV6, []uint32{unix.IPV6_RTHDR, 5, 6}}, // IPV6_2292RTHDR, IPV6_2292PKTOPTIONS
	{unix.IPPROTO_TCP, []uint32{unix.TCP_ULP}},
}

// callRules collects the rules of a policy. The first rule that matches a call decides.
type callRules struct {
	policy   Policy
	connects bool // the notifier connects TCP sockets
	private  bool // the process has its own network
	listed   bool // the notifier connects the Unix sockets that the policy lists
	families []uint32
	rules    []rule
}

// socketType masks the type of a socket, without flags.
const socketType = 0xf

// policyRules returns the rules of a policy. hosts are processes that the new one must not affect.
// spawner is the thread that starts it, which is in the same Landlock domain. notify means that the
// notifier changes modes and times. connects means that the notifier connects TCP sockets. private
// means that the process has its own network.
func policyRules(p Policy, hosts []int, spawner int, notify, connects, private bool) []rule {
	c := &callRules{policy: p, connects: connects, private: private, listed: notify && p.ConnectsLocally() && !p.Desktop}
	c.policy.Desktop = p.Desktop || p.ConnectsLocally() && !notify // nothing else can distinguish sockets
	for _, nr := range slices.Concat(refusedCalls, oldRefused) {
		c.refuse(unix.EPERM, nr)
	}
	for _, nr := range slices.Concat(absentCalls, oldAbsent) {
		c.refuse(unix.ENOSYS, nr)
	}
	done := unix.EPERM
	if notify {
		done = 0
	}
	c.rules = append(c.rules, fileRules(done)...)
	c.addNetwork()
	c.addUnixSockets()
	c.addFamilies()
	c.refuse(unix.EPERM, unix.SYS_CLONE, condition{arg: 0, mask: namespaces &^ unix.CLONE_NEWTIME, in: []uint32{0}, not: true})
	c.refuse(unix.EPERM, unix.SYS_UNSHARE, condition{arg: 0, mask: namespaces, in: []uint32{0}, not: true})
	// ptrace is allowed only for the requests that Start needs to stop the child and continue it.
	c.refuse(unix.EPERM, unix.SYS_PTRACE, condition{arg: 0, in: []uint32{unix.PTRACE_TRACEME, unix.PTRACE_DETACH}, not: true})
	c.rules = append(c.rules, ioctlRule(c.policy))
	c.addOtherProcesses()
	c.addSignals(hosts, spawner)
	return c.rules
}

// refuse adds a rule for the calls with the number nr that match all conditions. Errno 0 leaves
// them to the notifier.
func (c *callRules) refuse(errno unix.Errno, nr uintptr, where ...condition) {
	c.rules = append(c.rules, rule{nr: nr, errno: errno, where: where})
}

// addNetwork adds the rules for Internet sockets.
func (c *callRules) addNetwork() {
	if c.policy.Network == AnyNetwork {
		c.families = append(c.families, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK)
		c.refuse(unix.EACCES, unix.SYS_SOCKET, condition{arg: 0, in: []uint32{unix.AF_NETLINK}}, condition{arg: 2, in: []uint32{unix.NETLINK_ROUTE}, not: true})
	}
	if !c.connects {
		return
	}
	c.families = append(c.families, unix.AF_INET, unix.AF_INET6)
	internet := condition{arg: 0, in: []uint32{unix.AF_INET, unix.AF_INET6}}
	types, protocols := []uint32{unix.SOCK_STREAM}, []uint32{0, unix.IPPROTO_TCP}
	if c.private { // its packets reach only the resolver
		types, protocols = append(types, unix.SOCK_DGRAM), append(protocols, unix.IPPROTO_UDP)
	}
	c.refuse(unix.EACCES, unix.SYS_SOCKET, internet, condition{arg: 1, mask: socketType, in: types, not: true})
	c.refuse(unix.EACCES, unix.SYS_SOCKET, internet, condition{arg: 2, in: protocols, not: true})
	c.refuse(0, unix.SYS_CONNECT)
	if c.policy.Desktop {
		c.refuse(0, unix.SYS_LISTEN)
	} else if c.private && !c.listed { // in the computer's network, socket names belong to the computer
		c.rules = append(c.rules, browserRules(c.policy.Browser)...)
	}
	if c.policy.Browser && c.private {
		c.families = append(c.families, unix.AF_UNIX)
	} else if !c.policy.Desktop && !c.listed {
		c.refuse(unix.EACCES, unix.SYS_LISTEN)
	}
	// Sending can connect too.
	none := condition{mask: unix.MSG_FASTOPEN, in: []uint32{0}, not: true}
	none.arg = 3
	c.refuse(unix.EACCES, unix.SYS_SENDTO, none)
	c.refuse(unix.EACCES, unix.SYS_SENDMMSG, none)
	none.arg = 2
	c.refuse(unix.EACCES, unix.SYS_SENDMSG, none)
	for _, o := range reroutingOptions {
		c.refuse(unix.EACCES, unix.SYS_SETSOCKOPT, condition{arg: 1, in: []uint32{o.level}}, condition{arg: 2, in: o.names})
	}
}

// addUnixSockets adds the rules for the sockets of other programs.
func (c *callRules) addUnixSockets() {
	switch {
	case c.policy.Desktop:
		c.families = append(c.families, unix.AF_UNIX)
	case c.listed:
		c.families = append(c.families, unix.AF_UNIX)
		c.refuse(0, unix.SYS_CONNECT)
		c.refuse(unix.EACCES, unix.SYS_LISTEN)
		c.rules = append(c.rules, onlyStreams())
	}
}

// addFamilies refuses sockets of every family that no earlier rule allows.
func (c *callRules) addFamilies() {
	if len(c.families) == 0 {
		c.refuse(unix.EACCES, unix.SYS_SOCKET)
	} else {
		c.refuse(unix.EACCES, unix.SYS_SOCKET, condition{arg: 0, in: c.families, not: true})
	}
	c.refuse(unix.EACCES, unix.SYS_SOCKETPAIR, condition{arg: 0, in: []uint32{unix.AF_UNIX}, not: true})
	if !c.policy.Desktop {
		// In any other pair, one end can send to every socket with a path.
		pairs := condition{arg: 1, mask: socketType, in: []uint32{unix.SOCK_STREAM, unix.SOCK_SEQPACKET}, not: true}
		c.refuse(unix.EACCES, unix.SYS_SOCKETPAIR, pairs)
	}
}

// addOtherProcesses restricts calls that change a process by its number to the caller itself.
func (c *callRules) addOtherProcesses() {
	for _, nr := range []uintptr{
		unix.SYS_PRLIMIT64, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR, unix.SYS_SCHED_SETAFFINITY,
	} {
		c.refuse(unix.EPERM, nr, condition{arg: 0, in: []uint32{0}, not: true})
	}
	for _, nr := range []uintptr{unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET} {
		const process, ioProcess = 0, 1 // PRIO_PROCESS, IOPRIO_WHO_PROCESS
		own := uint32(process)
		if nr == unix.SYS_IOPRIO_SET {
			own = ioProcess
		}
		c.refuse(unix.EPERM, nr, condition{arg: 0, in: []uint32{own}, not: true})
		c.refuse(unix.EPERM, nr, condition{arg: 1, in: []uint32{0}, not: true})
	}
}

// addSignals refuses signals to goated. Landlock allows them to reach the spawner, which is in the
// same domain, and they would end all of goated.
func (c *callRules) addSignals(hosts []int, spawner int) {
	guarded := []uint32{uint32(spawner)}
	for _, pid := range hosts {
		if pid > 0 { // 0 stands for an invisible process, and in kill for the own group
			guarded = append(guarded, uint32(pid))
		}
	}
	for _, nr := range signalCalls {
		c.refuse(unix.EPERM, nr, condition{arg: 0, in: guarded})
	}
	for _, nr := range []uintptr{unix.SYS_TGKILL, unix.SYS_RT_TGSIGQUEUEINFO} {
		c.refuse(unix.EPERM, nr, condition{arg: 1, in: []uint32{uint32(spawner)}})
	}
	c.refuse(unix.EPERM, unix.SYS_FCNTL, condition{arg: 1, in: []uint32{unix.F_SETOWN_EX}}) // the target of the signals is in memory
}
