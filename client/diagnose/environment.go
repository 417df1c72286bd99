package diagnose

import (
	"slices"
	"strings"

	"goated/internal/sandbox"
	refusal "goated/internal/sandbox/mistake"
)

// environment diagnoses problems that the server reports with ports, variables, arguments, memory
// or files.
func environment(f Facts, d *Diagnosis) bool {
	if f.Failure != StartFailed && f.Failure != Exited && f.Failure != ConnectTimeout {
		return false
	}
	if apply(takenPorts, f, d) {
		return true
	}
	if web(f, d) || socketRefused(f, d) || containerRefused(f, d) || overSSH(f, d) {
		return true
	}
	if refusalSaid(f) && refused(f, d) { // setting a variable that names another folder is only a workaround
		return true
	}
	if names, first := f.variables(); first != "" {
		d.Cause, d.Args.Subject, d.Args.Variable = VariableMissing, names, first
		return true
	}
	if settings(f, d) || firstRun(f, d) || arguments(f, d) {
		return true
	}
	return limitReached(f, d) || apply(resources, f, d) || refused(f, d) || unanswered(f, d) || apply(permissions, f, d)
}

var (
	takenPorts = []rule{
		{pattern(`(?i)(?:EADDRINUSE|address already in use|only one usage of each socket address)`), "", PortTaken, port},
	}
	resources = []rule{
		{pattern(`heap out of memory|MemoryError|runtime: out of memory|Cannot allocate memory`), "", OutOfMemory, memory},
		{pattern(`(?:No such file or directory: |ENOENT: no such file or directory, \w+ )'([^']+)'`), "", FileMissing, nil},
	}
	permissions = []rule{
		{pattern(`(?i)(?:permission denied|EACCES|EPERM|operation not permitted)[^'\n]*(?:'([^']+)')?`), "", FileForbidden, nil},
	}
)

// unreached matches the messages of programs that failed to reach another one.
var unreached = pattern(`(?i)E(?:CONNREFUSED|CONNRESET|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)|connect|refused|unreachable|timed? ?out|socket hang up|fetch failed|reach`)

// unanswered blames the last host that the server tried to reach, if that host did not respond. It
// applies if the server's output mentions a connection, or if the server writes nothing.
func unanswered(f Facts, d *Diagnosis) bool {
	if len(f.Unanswered) == 0 || !f.Ended || f.Stderr && !unreached().MatchString(f.Output) {
		return false
	}
	d.Cause, d.Args.Subject = HostUnanswered, f.Unanswered[len(f.Unanswered)-1].Host
	for _, p := range f.Unanswered {
		if strings.Contains(f.Output, p.Host) {
			d.Args.Subject = p.Host
		}
	}
	return true
}

// limitReached diagnoses a sandbox limit that the server reached. The user may raise it.
func limitReached(f Facts, d *Diagnosis) bool {
	if len(f.Needs) == 0 || f.Needs[0].Kind != sandbox.ToLimit {
		return false
	}
	d.Cause, d.Args.Subject, d.Args.Permission = LimitReached, string(f.Needs[0].Limit), f.Needs[0]
	return true
}

// exceeded diagnoses a server that Linux killed at its memory limit.
func exceeded(f Facts, d *Diagnosis) bool {
	if !f.OutOfMemory {
		return false
	}
	if !limitReached(f, d) {
		d.Cause, d.Args.Memory = OutOfMemory, f.Memory // the limit cannot be raised further
	}
	return true
}

func memory(f Facts, _ []string, d *Diagnosis) bool {
	d.Args.Memory = f.Memory
	return true
}

// refusalSaid reports whether a line of the output reports a refused file, and that file is the
// first one that the sandbox refused.
func refusalSaid(f Facts) bool {
	return len(f.Needs) > 0 && slices.ContainsFunc(strings.Split(f.Output, "\n"), func(line string) bool {
		return refusal.Denied(line) && refusal.Names(line, f.Needs[0].Path)
	})
}

// refused diagnoses the first permission that the sandbox refused.
func refused(f Facts, d *Diagnosis) bool {
	if len(f.Needs) == 0 {
		return false
	}
	need := f.Needs[0]
	d.Cause, d.Args.Subject, d.Args.Permission = AccessRefused, need.Path, need
	switch need.Kind {
	case sandbox.ToHost:
		d.Cause, d.Args.Subject = HostRefused, need.Host
	case sandbox.ToNetwork:
		d.Cause = NetworkRefused
	}
	return true
}
