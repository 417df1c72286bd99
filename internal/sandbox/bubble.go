package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"goated/internal/paths"
)

// A Wrap reports whether bubblewrap contains a process.
type Wrap int

const (
	Unwrapped     Wrap = iota // not asked for
	Wrapped                   // the process is in namespaces of bubblewrap
	WrapMissing               // bubblewrap is not installed
	WrapUntrusted             // users other than root can change its program
	WrapFails                 // it does not work on this system
)

// A Bubble runs a program in its own namespaces with bubblewrap. [Start] works the same inside a
// bubble. The process that calls Start must be in the bubble, because Landlock forbids the mounts
// that namespaces need. The zero value is not a bubble.
type Bubble struct {
	Wrap Wrap  // Wrapped, or why bubblewrap cannot be used
	Err  error // details for the log

	program string
	options []string
}

// bubbleLimit bounds the test of bubblewrap. The test takes about ten milliseconds, and a hundred
// times that while a desktop starts.
const bubbleLimit = 5 * time.Second

// shmSize is the size of a bubble's /dev/shm, in bytes.
const shmSize = 256 << 20

// shm is the folder of shared memory.
const shm = "/dev/shm"

// Enclose returns p for a process in the bubble that the program keeper starts.
func (b Bubble) Enclose(p Policy, keeper string) Policy {
	at, _ := os.Getwd()
	needed := append(slices.Concat(p.Read, p.System, p.writable()), keeper, at)
	p.Bubble = true
	// An empty /dev/shm must not hide files that the process needs.
	p.Shm = hasShm() && !slices.ContainsFunc(needed, func(path string) bool { return paths.Within(path, shm) || paths.Within(resolveLinks(path), shm) })
	return p
}

// hasShm reports whether /dev/shm can be replaced. In some containers it is missing or a
// link.
func hasShm() bool {
	info, err := os.Lstat(shm)
	return err == nil && info.IsDir()
}

// Command returns the command that runs argv in the bubble, for a p from Enclose. The new process
// is the first of its namespace, so all processes in the bubble end with it. The caller must start
// the command as the leader of a process group, and must only kill the whole group. bubblewrap
// consists of two processes, and the second one never exits if the first is killed while it waits
// for the second. For this reason --die-with-parent cannot be used.
func (b Bubble) Command(p Policy, argv []string) []string {
	out := slices.Concat([]string{b.program}, b.options)
	if p.Shm {
		out = append(out, "--size", strconv.Itoa(shmSize), "--tmpfs", shm)
	}
	if p.Offline() && !p.Asks {
		out = append(out, "--unshare-net")
	}
	if p.Network == NamedHosts { // for the process's private network; its keeper has these rights, and the process drops them
		out = append(out, "--cap-add", "CAP_SYS_ADMIN", "--cap-add", "CAP_NET_ADMIN", "--cap-add", "CAP_NET_BIND_SERVICE", "--cap-add", "CAP_SETPCAP")
	}
	return slices.Concat(out, []string{"--"}, argv)
}

// bubbleOptions returns the options for a bubble that has all files, but its own processes and
// shared memory. It hides the masked files of /proc.
func bubbleOptions(masked []string) []string {
	out := []string{"--dev-bind", "/", "/", "--proc", "/proc"}
	for _, name := range masked {
		// A file that is bound like this is not a device and cannot be opened.
		out = append(out, "--ro-bind", os.DevNull, filepath.Join("/proc", name))
	}
	return append(out, "--unshare-pid", "--unshare-ipc", "--as-pid-1")
}

// maskedFiles are files of /proc that reveal the kernel's memory or the user's keys. Only root can
// open most of them, even without capabilities.
var maskedFiles = []string{
	"kcore", "kmsg", "kallsyms", "keys", "kpagecgroup", "kpagecount", "kpageflags", "pagetypeinfo", "sched_debug", "slabinfo", "timer_list", "vmallocinfo",
}
