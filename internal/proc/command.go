package proc

import (
	"goated/internal/sandbox"
	"goated/internal/sandbox/cgroup"
)

// A Command describes the process to start. It is a value; its slices are not
// changed.
type Command struct {
	Program string   // an absolute path
	Args    []string // without the program
	Dir     string   // empty means the working directory of this process
	Env     []string
	// Keeper is the command line of a program that calls [Keep]. With a keeper,
	// no descendant outlives the process or its starter; without one, descendants
	// that left the process group and whose parents ended do. Windows needs none. On
	// Linux, the program may be an open file of this process, as /proc/self/fd/N.
	Keeper []string
	Policy *sandbox.Policy // of the sandbox; nil: none
	Bubble sandbox.Bubble  // bubblewrap around the keeper; used if Policy.Bubble is set
	Groups *cgroup.Tree    // has a control group for the server; nil: there is none
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

// WithBubble returns the command inside b if b works, and otherwise without
// bubblewrap, because of b. The command must have a policy and a keeper.
func (c Command) WithBubble(b sandbox.Bubble) Command {
	p := *c.Policy
	if p.Bubble, p.Shm = false, false; b.Wrap == sandbox.Wrapped {
		p = b.Enclose(p, c.Keeper[0])
	}
	c.Policy, c.Bubble = &p, b
	return c
}
