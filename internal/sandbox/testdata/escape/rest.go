package main

import (
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

func proc(pid int, name string) string { return fmt.Sprintf("/proc/%d/%s", pid, name) }

// thread returns the path of a file about a thread of the host.
func thread(w world, tid int, name string) string {
	return fmt.Sprintf("/proc/%d/task/%d/%s", w.Host, tid, name)
}

func dial(network, address string) error {
	c, err := net.DialTimeout(network, address, time.Second)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Write([]byte("secret"))
	return err
}

func socket(family, kind, protocol int) error {
	fd, err := unix.Socket(family, kind, protocol)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}

var networks = []attempt{
	{"connect by TCP", func(w world) error { return dial("tcp", "127.0.0.1:"+strconv.Itoa(w.TCP)) }},
	{"connect by TCP over IPv6", func(w world) error { return dial("tcp", "[::1]:"+strconv.Itoa(w.TCP6)) }},
	{"connect by TCP while sending", func(w world) error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		return unix.Sendto(fd, []byte("secret"), unix.MSG_FASTOPEN, &unix.SockaddrInet4{Port: w.TCP, Addr: [4]byte{127, 0, 0, 1}})
	}},
	{"connect by an address that changes", swappedAddress},
	{"connect by multipath TCP", func(w world) error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 262)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		return unix.Connect(fd, &unix.SockaddrInet4{Port: w.TCP, Addr: [4]byte{127, 0, 0, 1}})
	}},
	{"listen by TCP", func(world) error {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err == nil {
			err = l.Close()
		}
		return err
	}},
	{"send by UDP", func(w world) error { return dial("udp", "127.0.0.1:"+strconv.Itoa(w.UDP)) }},
	{"receive by UDP", func(world) error {
		l, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err == nil {
			err = l.Close()
		}
		return err
	}},
	{"send by ICMP", func(world) error { return socket(unix.AF_INET, unix.SOCK_DGRAM, unix.IPPROTO_ICMP) }},
	{"make a raw socket", func(world) error { return socket(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_TCP) }},
	{"make a packet socket", func(world) error { return socket(unix.AF_PACKET, unix.SOCK_DGRAM, 0) }},
	{"ask netlink for the addresses", func(world) error { _, err := net.Interfaces(); return err }},
	{"make a vsock socket", func(world) error { return socket(unix.AF_VSOCK, unix.SOCK_STREAM, 0) }},
	{"use the kernel's ciphers", func(world) error { return socket(unix.AF_ALG, unix.SOCK_SEQPACKET, 0) }},
	{"connect to D-Bus", func(w world) error { return dial("unix", filepath.Join(w.Sockets, "bus")) }},
	{"connect to Docker", func(w world) error { return dial("unix", filepath.Join(w.Sockets, "docker.sock")) }},
	{"connect to the SSH agent", func(w world) error { return dial("unix", filepath.Join(w.Sockets, "agent")) }},
	{"send to the journal", func(w world) error { return dial("unixgram", filepath.Join(w.Sockets, "journal")) }},
	{"connect to an abstract socket", func(w world) error { return dial("unix", "@"+w.Name) }},
	{"connect to X11", func(w world) error { return dial("unix", "@"+w.X11) }},
	{"listen on a socket outside", func(w world) error {
		l, err := net.Listen("unix", at(w, "listen"))
		if err == nil {
			err = l.Close()
		}
		return err
	}},
}

var processes = []attempt{
	{"signal the host", func(w world) error { return unix.Kill(w.Host, unix.SIGURG) }},
	{"signal the host's group", func(w world) error { return unix.Kill(-w.Group, unix.SIGURG) }},
	{"signal the host's thread", func(w world) error { return unix.Tgkill(w.Host, w.Host, unix.SIGURG) }},
	{"signal a thread of the host as if it were a process", func(w world) error {
		return each(w, func(tid int) error { return unix.Kill(tid, 0) })
	}},
	{"signal the thread that made it", func(w world) error {
		return each(w, func(tid int) error { return unix.Tgkill(w.Host, tid, 0) })
	}},
	{"signal the thread that made it, the old way", func(w world) error {
		return each(w, func(tid int) error { _, err := call(unix.SYS_TKILL, uintptr(tid), 0); return err })
	}},
	{"signal the thread that made it by a descriptor", func(w world) error {
		return each(w, func(tid int) error {
			fd, err := unix.PidfdOpen(tid, unix.O_EXCL) // PIDFD_THREAD
			if err != nil {
				return err
			}
			defer unix.Close(fd)
			return unix.PidfdSendSignal(fd, 0, nil, 0)
		})
	}},
	{"signal the host by a descriptor", func(w world) error {
		fd, err := unix.PidfdOpen(w.Host, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		return unix.PidfdSendSignal(fd, unix.SIGURG, nil, 0)
	}},
	{"signal the victim", func(w world) error { return unix.Kill(w.Victim, unix.SIGCONT) }},
	{"queue a signal for the victim", func(w world) error {
		var info [128]byte
		binary.LittleEndian.PutUint32(info[0:], uint32(unix.SIGCONT))
		code := int32(-1) // SI_QUEUE
		binary.LittleEndian.PutUint32(info[8:], uint32(code))
		_, err := call(unix.SYS_RT_SIGQUEUEINFO, uintptr(w.Victim), uintptr(unix.SIGCONT), uintptr(unsafe.Pointer(&info[0])))
		return err
	}},
	{"have a thread of the host signalled by input", func(w world) error {
		return each(w, func(tid int) error {
			owner := [2]int32{0, int32(tid)} // F_OWNER_TID
			_, err := call(unix.SYS_FCNTL, 1, unix.F_SETOWN_EX, uintptr(unsafe.Pointer(&owner)))
			return err
		})
	}},
	{"trace the victim", func(w world) error { return trace(w.Victim) }},
	{"trace the host", func(w world) error { return trace(w.Host) }},
	{"enter the host's network", func(w world) error {
		f, err := os.Open(proc(w.Host, "ns/net"))
		if err != nil {
			return err
		}
		defer f.Close()
		return unix.Setns(int(f.Fd()), unix.CLONE_NEWNET)
	}},
	{"read the victim's memory", func(w world) error {
		b := make([]byte, 8)
		local := []unix.Iovec{{Base: &b[0], Len: 8}}
		// The address does not matter, because EFAULT comes after the permission check.
		_, err := unix.ProcessVMReadv(w.Victim, local, []unix.RemoteIovec{{Base: 0x400000, Len: 8}}, 0)
		if err == unix.EFAULT {
			return nil
		}
		return err
	}},
	{"take a file of the host", func(w world) error {
		fd, err := unix.PidfdOpen(w.Victim, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		got, err := unix.PidfdGetfd(fd, 0, 0)
		if err == nil {
			err = unix.Close(got)
		}
		return err
	}},
	{"compare the host's files with its own", func(w world) error {
		_, err := call(unix.SYS_KCMP, uintptr(os.Getpid()), uintptr(w.Victim), 2, 0, 0)
		return err
	}},
	{"limit the victim", func(w world) error {
		return unix.Prlimit(w.Victim, unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
	}},
	{"slow the victim down", func(w world) error { return unix.Setpriority(unix.PRIO_PROCESS, w.Victim, 5) }},
	{"slow all of the user's processes down", func(world) error { return unix.Setpriority(unix.PRIO_USER, 0, 1) }},
	{"bind the victim to one processor", func(w world) error {
		var set unix.CPUSet
		set.Set(0)
		return unix.SchedSetaffinity(w.Victim, &set)
	}},
	{"let the victim wait for the disk", func(w world) error {
		_, err := call(unix.SYS_IOPRIO_SET, 1, uintptr(w.Victim), 3<<13)
		return err
	}},
	{"change how the victim is scheduled", func(w world) error {
		var zero int32
		_, err := call(unix.SYS_SCHED_SETSCHEDULER, uintptr(w.Victim), 3, uintptr(unsafe.Pointer(&zero))) // SCHED_BATCH
		return err
	}},
}

func trace(pid int) error {
	runtime.LockOSThread() // this thread is the tracer
	defer runtime.UnlockOSThread()
	_, err := call(unix.SYS_PTRACE, unix.PTRACE_SEIZE, uintptr(pid), 0, 0)
	if err == nil {
		_, _ = call(unix.SYS_PTRACE, unix.PTRACE_INTERRUPT, uintptr(pid), 0, 0)
		_, _ = unix.Wait4(pid, nil, unix.WALL, nil)
		_, _ = call(unix.SYS_PTRACE, unix.PTRACE_DETACH, uintptr(pid), 0, 0)
	}
	return err
}

// asked are attempts that run only on request. Newer kernels allow these calls but deliver nothing.
var asked = []attempt{
	{"have the victim signalled by input", func(w world) error {
		var ends [2]int
		if err := unix.Pipe(ends[:]); err != nil {
			return err
		}
		_, err := call(unix.SYS_FCNTL, uintptr(ends[0]), unix.F_SETOWN, uintptr(w.Victim))
		return err
	}},
	{"have the victim signalled by a socket", func(w world) error {
		ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		owner := int32(w.Victim)
		_, err = call(unix.SYS_IOCTL, uintptr(ends[0]), 0x8901, uintptr(unsafe.Pointer(&owner))) // FIOSETOWN
		return err
	}},
	{"signal everybody", func(world) error { return unix.Kill(-1, 0) }},
}

// each tries all threads of the host except the first.
func each(w world, try func(tid int) error) error {
	data, err := os.ReadFile(w.Tasks)
	if err != nil {
		return err
	}
	last := fails("the host has no threads")
	for _, word := range strings.Fields(string(data)) {
		tid, _ := strconv.Atoi(word)
		if last = try(tid); last == nil {
			return nil
		}
	}
	return last
}

var kernels = []attempt{
	{"become root of a user namespace", func(world) error { return cloned(unix.CLONE_NEWUSER, 0) }},
	{"unshare a user namespace", func(world) error { return cloned(0, unix.CLONE_NEWUSER) }},
	{"make a network of its own", func(world) error { return cloned(unix.CLONE_NEWUSER|unix.CLONE_NEWNET, 0) }},
	{"mount in a namespace", func(w world) error {
		cmd := exec.Command("mount", "-t", "tmpfs", "none", "/mnt")
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		}
		return cmd.Run()
	}},
	{"change the root in a namespace", func(w world) error {
		cmd := exec.Command("/bin/true")
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags: unix.CLONE_NEWUSER, Chroot: "/",
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		}
		return cmd.Run()
	}},
	{"make a namespace by clone3", func(world) error {
		args := [11]uint64{0: unix.CLONE_NEWUSER, 4: uint64(unix.SIGCHLD)}
		pid, err := call(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&args)), unsafe.Sizeof(args))
		if err == nil && pid == 0 {
			_, _, _ = syscall.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
		}
		if err == nil {
			_, _ = unix.Wait4(int(pid), nil, 0, nil)
		}
		return err
	}},
	{"mount anew what it sees", func(world) error {
		return unix.Mount("none", "/", "", unix.MS_REMOUNT|unix.MS_BIND, "")
	}},
	{"uncover what lies below /dev/shm", func(world) error { return unix.Unmount("/dev/shm", unix.MNT_DETACH) }},
	{"take another view of the files", func(w world) error {
		fd, err := unix.OpenTree(unix.AT_FDCWD, w.Home, 0)
		if err == nil {
			err = unix.Close(fd)
		}
		return err
	}},
	{"measure by perf_event_open", func(world) error {
		attr := unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_CPU_CLOCK, Bits: unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv}
		attr.Size = uint32(unsafe.Sizeof(attr))
		fd, err := unix.PerfEventOpen(&attr, 0, -1, -1, 0)
		if err == nil {
			err = unix.Close(fd)
		}
		return err
	}},
	{"load a program into the kernel", func(world) error {
		var attr [120]byte
		_, err := call(unix.SYS_BPF, 0, uintptr(unsafe.Pointer(&attr[0])), uintptr(len(attr)))
		return err
	}},
	{"leave a key in the user's keyring", func(world) error {
		_, err := unix.AddKey("user", "escape", []byte("x"), unix.KEY_SPEC_USER_KEYRING)
		return err
	}},
	{"read the user's keyring", func(world) error { _, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_USER_KEYRING, true); return err }},
	{"handle page faults", func(world) error {
		fd, err := call(unix.SYS_USERFAULTFD, 1) // UFFD_USER_MODE_ONLY
		if err == nil {
			err = unix.Close(int(fd))
		}
		return err
	}},
	{"turn off the randomizing of addresses", func(world) error { _, err := call(unix.SYS_PERSONALITY, 0x40000); return err }},
	{"read the kernel's log", func(world) error { b := make([]byte, 64); _, err := unix.Klogctl(3, b); return err }},
	{"read shared memory", func(w world) error {
		id, err := unix.SysvShmGet(w.Shm, 0, 0)
		if err != nil {
			return err
		}
		data, err := unix.SysvShmAttach(id, 0, unix.SHM_RDONLY)
		if err == nil {
			err = unix.SysvShmDetach(data)
		}
		return err
	}},
	{"open a message queue", func(w world) error { _, err := call(unix.SYS_MSGGET, uintptr(w.Msg), 0); return err }},
	{"make semaphores", func(w world) error {
		id, err := call(unix.SYS_SEMGET, 0, 1, 0o600|01000)
		if err == nil {
			_, err = call(unix.SYS_SEMCTL, id, 0, 0)
		}
		return err
	}},
	{"make a queue of messages", func(w world) error {
		name, _ := unix.BytePtrFromString("goated-escape-go")
		fd, err := call(unix.SYS_MQ_OPEN, uintptr(unsafe.Pointer(name)), unix.O_CREAT|unix.O_RDWR, 0o600, 0)
		if err == nil {
			_ = unix.Close(int(fd))
			_, err = call(unix.SYS_MQ_UNLINK, uintptr(unsafe.Pointer(name)))
		}
		return err
	}},
}

func cloned(clone, unshare uintptr) error {
	cmd := exec.Command("/bin/true")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: clone, Unshareflags: unshare}
	return cmd.Run()
}

var limits = []attempt{
	{"start more processes than are allowed", func(w world) error {
		var all []*exec.Cmd
		defer func() {
			for _, c := range all {
				_ = c.Process.Kill()
				_ = c.Wait()
			}
		}()
		for range w.Forks {
			c := exec.Command("/bin/sleep", "20")
			if err := c.Start(); err != nil {
				return err
			}
			all = append(all, c)
		}
		return nil
	}},
	{"open more files than are allowed", func(world) error {
		var all []*os.File
		defer func() {
			for _, f := range all {
				_ = f.Close()
			}
		}()
		for range 5000 {
			f, err := os.Open("/dev/null")
			if err != nil {
				return err
			}
			all = append(all, f)
		}
		return nil
	}},
	{"make a file larger than is allowed", func(world) error {
		f, err := os.Create(own("large"))
		if err != nil {
			return err
		}
		defer os.Remove(own("large"))
		defer f.Close()
		return f.Truncate(1 << 40)
	}},
	{"take more memory than is allowed", func(world) error {
		b, err := unix.Mmap(-1, 0, 5<<30, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
		if err == nil {
			err = unix.Munmap(b)
		}
		return err
	}},
	{"leave a picture of its memory", func(world) error {
		return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{Cur: 1 << 20, Max: 1 << 20})
	}},
}
