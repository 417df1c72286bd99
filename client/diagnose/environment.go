package diagnose

import (
	"goated/internal/sandbox"
)

// environment is about what the script says of ports, variables, memory and
// files.
func environment(f Facts, d *Diagnosis) bool {
	if f.Failure != StartFailed && f.Failure != Exited && f.Failure != ConnectTimeout {
		return false
	}
	if apply(takenPorts, f, d) {
		return true
	}
	if name := f.variable(); name != "" {
		d.Cause, d.Args.Subject, d.Args.Variable = VariableMissing, name, name
		return true
	}
	return apply(resources, f, d) || refused(f, d) || apply(permissions, f, d)
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

func memory(f Facts, _ []string, d *Diagnosis) bool {
	d.Args.Memory = f.Memory
	return true
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
