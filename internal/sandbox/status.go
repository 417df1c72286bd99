package sandbox

import (
	"fmt"
	"strings"
)

// A Status describes what a kernel can enforce, or what is enforced for one process. The zero value
// enforces nothing.
type Status struct {
	Landlock int  // ABI version; 0 if the kernel has no Landlock
	Files    bool // only the policy's paths can be opened
	Calls    bool // dangerous system calls fail: sockets, tracing, mounts, keys, namespaces
	Signals  bool // signals reach no process outside the sandbox
	Limits   bool // rlimits apply from the first instruction
	Root     bool // runs as root, whose processes Linux neither counts nor limits
	Sums     bool // for one process: a control group limits the total memory and number of its processes
	Guards   bool // in writable folders, files that other programs run stay protected
	Wrap     Wrap // the use of bubblewrap for one process
	Net      bool // for one process: it has its own network
	Hosts    bool // single hosts can be allowed; otherwise a process has the whole network or nothing
}

// Confined reports whether files and system calls are both restricted.
func (s Status) Confined() bool { return s.Files && s.Calls }

// Missing lists what is not enforced, as phrases for the user.
func (s Status) Missing() []string {
	var out []string
	for _, part := range []struct {
		has  bool
		text string
	}{
		{s.Files, "it can open every file that you can"},
		{s.Calls, "it can use the network and other programs' sockets"},
		{s.Signals, "it can stop your other programs"},
		{s.Limits, "it can use up memory and processes"},
		{!s.Limits || !s.Root || s.Sums, "it can start any number of processes, because it runs as root"},
	} {
		if !part.has {
			out = append(out, part.text)
		}
	}
	return out
}

// String returns a sentence for a server's card.
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
	return "Partly sandboxed (" + by + "): " + strings.Join(missing, "; ") + "." + s.Wrap.remark()
}

// remark explains why bubblewrap is not in use, if it was requested.
func (w Wrap) remark() string {
	switch w {
	case WrapMissing:
		return " bubblewrap is not installed."
	case WrapUntrusted:
		return " goated does not use bubblewrap, because users other than root can change its program."
	case WrapFails:
		return " bubblewrap is installed but does not work."
	}
	return ""
}
