//go:build linux && (amd64 || arm64)

package sandbox

import (
	"encoding/binary"
	"testing"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// A filterFunc returns the action of a policy's filter for a call.
type filterFunc func(nr uintptr, args ...uint64) uint32

func newFilter(t *testing.T, p Policy) filterFunc {
	t.Helper()
	program, err := assemble(append(policyRules(p, nil, 1, true, p.Network == NamedHosts, true), truncateRules()...))
	if err != nil {
		t.Fatal(err)
	}
	if len(program) > 4096 {
		t.Fatalf("%d instructions; Linux allows 4096", len(program))
	}
	raw := make([]bpf.RawInstruction, len(program))
	for i, in := range program {
		raw[i] = bpf.RawInstruction{Op: in.Code, Jt: in.Jt, Jf: in.Jf, K: in.K}
	}
	instructions, ok := bpf.Disassemble(raw)
	if !ok {
		t.Fatal("the program has invalid instructions")
	}
	vm, err := bpf.NewVM(instructions)
	if err != nil {
		t.Fatal(err)
	}
	return func(nr uintptr, args ...uint64) uint32 {
		// The VM for socket filters reads big-endian numbers.
		data := make([]byte, 64)
		binary.BigEndian.PutUint32(data[offsetNr:], uint32(nr))
		binary.BigEndian.PutUint32(data[offsetArch:], arch)
		for i, a := range args {
			at := data[offsetArgs+8*i:]
			binary.BigEndian.PutUint32(at, uint32(a)) // the low half comes first, as on a little-endian machine
			binary.BigEndian.PutUint32(at[4:], uint32(a>>32))
		}
		action, err := vm.Run(data)
		if err != nil {
			t.Fatal(err)
		}
		return uint32(action)
	}
}

// The filter refuses every ioctl that is not listed.
func TestFilterOfIoctls(t *testing.T) {
	with := func(g Grant) Policy { return Policy{}.With(g) }
	whole, desktop := with(Grant{Network: AnyNetwork}), with(Grant{Desktop: true})
	hosts := with(Grant{Hosts: []string{"example.org"}})
	const typed, subvolume, snapshot, setFlags, play = unix.TIOCSTI, 0x5000940e, 0x50009401, unix.FS_IOC_SETFLAGS, 0x4142
	for _, c := range []struct {
		name    string
		request uint64
		may     []Policy
		mayNot  []Policy
	}{
		{"FIONREAD", fionread, []Policy{{}, hosts, whole, desktop}, nil},
		{"TCGETS", unix.TCGETS, []Policy{{}, hosts, whole, desktop}, nil},
		{"FICLONE", unix.FICLONE, []Policy{{}, whole}, nil},
		{"SIOCGIFHWADDR", unix.SIOCGIFHWADDR, []Policy{whole}, []Policy{{}, hosts, desktop}},
		{"SIOCGIFCONF", unix.SIOCGIFCONF, []Policy{whole}, []Policy{{}, hosts, desktop}},
		{"SNDRV_PCM_IOCTL_START", play, []Policy{desktop}, []Policy{{}, hosts, whole}},
		{"TIOCSTI", typed, nil, []Policy{{}, hosts, whole, desktop}},
		{"BTRFS_IOC_SUBVOL_CREATE", subvolume, nil, []Policy{{}, hosts, whole, desktop}},
		{"BTRFS_IOC_SNAP_CREATE", snapshot, nil, []Policy{{}, hosts, whole, desktop}},
		{"FS_IOC_SETFLAGS", setFlags, nil, []Policy{{}, hosts, whole, desktop}},
		{"FS_IOC_ENABLE_VERITY", unix.FS_IOC_ENABLE_VERITY, nil, []Policy{{}, hosts, whole, desktop}},
		{"FIDEDUPERANGE", unix.FIDEDUPERANGE, nil, []Policy{{}, hosts, whole, desktop}},
	} {
		for _, high := range []uint64{0, 1 << 32} { // Linux ignores the high half
			for _, p := range c.may {
				if v := newFilter(t, p)(unix.SYS_IOCTL, 3, c.request|high); v != unix.SECCOMP_RET_ALLOW {
					t.Errorf("%s: %#x to %+v", c.name, v, p)
				}
			}
			for _, p := range c.mayNot {
				if v := newFilter(t, p)(unix.SYS_IOCTL, 3, c.request|high); v != actionOf(unix.ENOTTY) {
					t.Errorf("%s: %#x to %+v", c.name, v, p)
				}
			}
		}
	}
	// Of the requests without a size, exactly the listed ones pass.
	got, want := 0, 0
	for _, request := range knownIoctls {
		if request <= 0xffff {
			want++
		}
	}
	filter := newFilter(t, Policy{})
	for request := range uint64(0x10000) {
		if filter(unix.SYS_IOCTL, 3, request) == unix.SECCOMP_RET_ALLOW {
			got++
		}
	}
	if got != want {
		t.Errorf("%d ioctls pass, but %d are listed", got, want)
	}
}

// A pointer whose low half is zero is not null. A file mode matters only if the call creates a file.
func TestFilterOfFiles(t *testing.T) {
	const here = uint64(1<<64 - 100) // AT_FDCWD
	notify, filter := actionOf(0), newFilter(t, Policy{})
	for _, c := range []struct {
		name string
		nr   uintptr
		args []uint64
		want uint32
	}{
		{"a time by a path", unix.SYS_UTIMENSAT, []uint64{here, 0x7f0012345678}, notify},
		{"a time by half of one", unix.SYS_UTIMENSAT, []uint64{here, 0x700000000}, notify},
		{"a time by a descriptor", unix.SYS_UTIMENSAT, []uint64{3, 0}, notify},
		{"a mode by a descriptor", unix.SYS_FCHMOD, []uint64{3, 0o644}, notify},
		{"a file to read", unix.SYS_OPENAT, []uint64{here, 1, unix.O_RDONLY, 0o6777}, unix.SECCOMP_RET_ALLOW},
		{"a file to make", unix.SYS_OPENAT, []uint64{here, 1, unix.O_CREAT | unix.O_WRONLY, 0o1777}, unix.SECCOMP_RET_ALLOW},
		{"a set-id program", unix.SYS_OPENAT, []uint64{here, 1, unix.O_CREAT | unix.O_WRONLY, 0o2755}, actionOf(unix.EPERM)},
		{"one without a name", unix.SYS_OPENAT, []uint64{here, 1, unix.O_TMPFILE | unix.O_WRONLY, 0o4755}, actionOf(unix.EPERM)},
		{"a folder to look at", unix.SYS_OPENAT, []uint64{here, 1, unix.O_DIRECTORY, 0o4755}, unix.SECCOMP_RET_ALLOW},
		{"a node", unix.SYS_MKNODAT, []uint64{here, 1, unix.S_IFREG | 0o4755}, actionOf(unix.EPERM)},
		{"a pipe", unix.SYS_MKNODAT, []uint64{here, 1, unix.S_IFIFO | 0o600}, unix.SECCOMP_RET_ALLOW},
		{"a file to empty and read", unix.SYS_OPENAT, []uint64{here, 1, unix.O_RDONLY | unix.O_TRUNC}, actionOf(unix.EPERM)},
		{"a file to empty and write", unix.SYS_OPENAT, []uint64{here, 1, unix.O_WRONLY | unix.O_TRUNC}, unix.SECCOMP_RET_ALLOW},
		{"a pair of streams", unix.SYS_SOCKETPAIR, []uint64{unix.AF_UNIX, unix.SOCK_STREAM | unix.SOCK_CLOEXEC | unix.SOCK_NONBLOCK}, unix.SECCOMP_RET_ALLOW},
		{"a pair of packets in order", unix.SYS_SOCKETPAIR, []uint64{unix.AF_UNIX, unix.SOCK_SEQPACKET}, unix.SECCOMP_RET_ALLOW},
		{"a pair of datagrams", unix.SYS_SOCKETPAIR, []uint64{unix.AF_UNIX, unix.SOCK_DGRAM | unix.SOCK_CLOEXEC}, actionOf(unix.EACCES)},
		{"a lease", unix.SYS_FCNTL, []uint64{3, unix.F_SETLEASE}, actionOf(unix.EPERM)},
		{"a lock", unix.SYS_FCNTL, []uint64{3, unix.F_SETLK}, unix.SECCOMP_RET_ALLOW},
	} {
		if got := filter(c.nr, c.args...); got != c.want {
			t.Errorf("%s: %#x, want %#x", c.name, got, c.want)
		}
	}
}
