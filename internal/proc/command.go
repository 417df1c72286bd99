package proc

import (
	"goated/internal/sandbox"
	"goated/internal/sandbox/cgroup"
)

// A Command describes a process to start. This package does not modify its slices.
type Command struct {
	Program string   // an absolute path
	Args    []string // without the program
	Dir     string   // empty means the working directory of this process
	Env     []string
	// Keeper is the command line of a program that calls [Keep]. With a keeper, no descendant
	// outlives the process or its starter. Without one, a descendant survives if it left the
	// process group and its parent exited. Windows needs no keeper. On Linux, the program may be an
	// open file of this process, written as /proc/self/fd/N.
	Keeper []string
	Policy *sandbox.Policy // the sandbox policy; nil: no sandbox
	Bubble sandbox.Bubble  // bubblewrap around the keeper; used if Policy.Bubble is set
	Groups *cgroup.Tree    // creates the server's control group; nil: no group
	Shown  []string        // the command line shown to users; nil: Program with Args
}

// Argv returns the command line as users know it.
func (c Command) Argv() []string {
	if c.Shown != nil {
		return c.Shown
	}
	return append([]string{c.Program}, c.Args...)
}

// InBubble reports whether the process runs in bubblewrap.
func (c Command) InBubble() bool { return c.Policy != nil && c.Policy.Bubble }

// WithBubble returns the command wrapped in b if b works, and otherwise the command without
// bubblewrap. In both cases it records b, which contains the reason. The command must have a policy
// and a keeper.
func (c Command) WithBubble(b sandbox.Bubble) Command {
	p := *c.Policy
	if p.Bubble, p.Shm = false, false; b.Wrap == sandbox.Wrapped {
		p = b.Enclose(p, c.Keeper[0])
	}
	c.Policy, c.Bubble = &p, b
	return c
}
