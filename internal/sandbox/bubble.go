package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// A Wrap is what bubblewrap is to a process.
type Wrap int

const (
	Unwrapped     Wrap = iota // it was not asked for
	Wrapped                   // the process is in namespaces that bubblewrap made
	WrapMissing               // there is no bubblewrap
	WrapUntrusted             // others than root can change its program
	WrapFails                 // it does not work here
)

// A Bubble is bubblewrap as it works on this system: a program that starts
// another in namespaces of its own. There [Start] confines as it does anywhere;
// Landlock allows no mounts, so that the namespaces have to come first, and
// around the process that calls Start. The zero value is no bubble.
type Bubble struct {
	Wrap Wrap  // Wrapped if it works, or why it does not
	Err  error // what is in the way, for a log

	program string
	options []string
}

// bubbleLimit bounds what it takes to find out whether it works: some ten
// milliseconds, and a hundred times that while a desktop starts.
const bubbleLimit = 5 * time.Second

// shmSize bounds what lies in memory under /dev/shm, as the limits do a file.
const shmSize = 256 << 20

// shm is the folder of what processes share in memory.
const shm = "/dev/shm"

// Enclose is p for a process that starts in the bubble, its starter being keeper.
func (b Bubble) Enclose(p Policy, keeper string) Policy {
	at, _ := os.Getwd()
	paths := append(slices.Concat(p.Read, p.System, p.writable()), keeper, at)
	p.Bubble = true
	// What the process is to find there cannot be hidden by an empty one.
	p.Shm = hasShm() && !slices.ContainsFunc(paths, func(path string) bool { return within(path, shm) || within(resolveLinks(path), shm) })
	return p
}

// hasShm reports whether there is what could be hidden: in some containers, and
// where it is a link to elsewhere, there is not.
func hasShm() bool {
	info, err := os.Lstat(shm)
	return err == nil && info.IsDir()
}

// Command is argv, started in the bubble for a p that it encloses. As its first
// process, the new one ends all others in the bubble with itself. Who starts it
// has it lead a process group, and kills that as a whole or not at all: bubblewrap
// is two processes, and the second, while it waits for the first, does so for ever
// (which rules out --die-with-parent).
func (b Bubble) Command(p Policy, argv []string) []string {
	out := slices.Concat([]string{b.program}, b.options)
	if p.Shm {
		out = append(out, "--size", strconv.Itoa(shmSize), "--tmpfs", shm)
	}
	if p.Offline() {
		out = append(out, "--unshare-net")
	}
	return slices.Concat(out, []string{"--"}, argv)
}

// bubbleOptions are options for a bubble with all of the files, and processes and
// shared memory of its own. masked are files of /proc that it does not show.
func bubbleOptions(masked []string) []string {
	out := []string{"--dev-bind", "/", "/", "--proc", "/proc"}
	for _, name := range masked {
		// As it is bound, it is no device, and can't be opened.
		out = append(out, "--ro-bind", os.DevNull, filepath.Join("/proc", name))
	}
	return append(out, "--unshare-pid", "--unshare-ipc", "--as-pid-1")
}

// maskedFiles are the files of /proc that tell of the kernel's memory and of the
// user's keys. Most are open to root alone, also to one without capabilities.
var maskedFiles = []string{
	"kcore", "kmsg", "kallsyms", "keys", "kpagecgroup", "kpagecount", "kpageflags", "pagetypeinfo", "sched_debug", "slabinfo", "timer_list", "vmallocinfo",
}
