package diagnose

import (
	"slices"
	"strings"

	"goated/internal/sandbox"
	refusal "goated/internal/sandbox/mistake"
)

// environment is about what the script says of ports, variables, arguments,
// memory and files.
func environment(f Facts, d *Diagnosis) bool {
	if f.Failure != StartFailed && f.Failure != Exited && f.Failure != ConnectTimeout {
		return false
	}
	if apply(takenPorts, f, d) {
		return true
	}
	if web(f, d) || socketRefused(f, d) || containerRefused(f, d) {
		return true
	}
	if refusalSaid(f) && refused(f, d) { // a variable that names another folder is a way around it
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

// unreached matches the words of programs that did not reach another one.
var unreached = pattern(`(?i)E(?:CONNREFUSED|CONNRESET|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)|connect|refused|unreachable|timed? ?out|socket hang up|fetch failed|reach`)

// unanswered blames the last host that the server tried to reach, if it did not answer. It does
// so for a server whose output is about a connection, and for one that writes nothing.
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

// limitReached is about a limit of the sandbox, which the user may raise.
func limitReached(f Facts, d *Diagnosis) bool {
	if len(f.Needs) == 0 || f.Needs[0].Kind != sandbox.ToLimit {
		return false
	}
	d.Cause, d.Args.Subject, d.Args.Permission = LimitReached, string(f.Needs[0].Limit), f.Needs[0]
	return true
}

// exceeded is about a server that Linux ended at its limit of memory.
func exceeded(f Facts, d *Diagnosis) bool {
	if !f.OutOfMemory {
		return false
	}
	if !limitReached(f, d) {
		d.Cause, d.Args.Memory = OutOfMemory, f.Memory // no more can be allowed
	}
	return true
}

func memory(f Facts, _ []string, d *Diagnosis) bool {
	d.Args.Memory = f.Memory
	return true
}

// refusalSaid reports whether a line says that the file was refused which the server's sandbox
// refused first.
func refusalSaid(f Facts) bool {
	return len(f.Needs) > 0 && slices.ContainsFunc(strings.Split(f.Output, "\n"), func(line string) bool {
		return refusal.Denied(line) && refusal.Names(line, f.Needs[0].Path)
	})
}

// refused is about the first permission that the server's sandbox refused.
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
