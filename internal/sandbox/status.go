package sandbox

import (
	"fmt"
	"strings"
)

// A Status is what is enforced, by a kernel or for one process. The zero value
// is nothing.
type Status struct {
	Landlock int  // its ABI; 0: the kernel has none
	Files    bool // only the policy's paths can be opened
	Calls    bool // system calls that lead out fail: sockets, tracing, mounts, keys, namespaces
	Signals  bool // no signal reaches a process outside
	Limits   bool // rlimits were in force before the first instruction
	Root     bool // whose processes Linux does not count: they are not limited
	Wrap     Wrap // of one process: what bubblewrap is to it
	Hosts    bool // it can be held to some hosts; without, it has no network where it may not have all
}

// Confined reports whether the process is in a sandbox that deserves the name:
// its files and its system calls are guarded.
func (s Status) Confined() bool { return s.Files && s.Calls }

// Missing says what is not enforced, a phrase each.
func (s Status) Missing() []string {
	var out []string
	for _, part := range []struct {
		has  bool
		what string
	}{
		{s.Files, "it can open every file that you can"},
		{s.Calls, "it can use the network and other programs' sockets"},
		{s.Signals, "it can stop your other programs"},
		{s.Limits, "it can use up memory and processes"},
		{!s.Limits || !s.Root, "it can start processes without end, since it runs as root"},
	} {
		if !part.has {
			out = append(out, part.what)
		}
	}
	return out
}

// String is a sentence for a server's card.
func (s Status) String() string {
	missing := s.Missing()
	by := fmt.Sprintf("Landlock ABI %d, seccomp", s.Landlock)
	if s.Wrap == Wrapped {
		by += ", bubblewrap"
	}
	switch {
	case !s.Confined():
		return "Not sandboxed: " + strings.Join(missing, "; ") + "."
	case len(missing) == 0:
		return "Sandboxed (" + by + ")." + s.Wrap.remark()
	}
	return "Sandboxed in part (" + by + "): " + strings.Join(missing, "; ") + "." + s.Wrap.remark()
}

// remark says why there is no bubblewrap, where it was wanted.
func (w Wrap) remark() string {
	switch w {
	case WrapMissing:
		return " bubblewrap is not installed."
	case WrapUntrusted:
		return " bubblewrap is not used, since others than root can change its program."
	case WrapFails:
		return " bubblewrap is there, and does not work."
	}
	return ""
}
