// Package limit defines and sets the limits of a process: how many files it may open, how much
// memory it may use, and how many processes it may start. It must not know policies or permissions.
package limit

// Limits bound the resources of a process. All except Processes and Signals apply to each process
// separately, because Linux computes no sums without a cgroup.
type Limits struct {
	Processes uint64 `json:"processes,omitempty"` // processes and threads, in addition to the user's existing ones
	Files     uint64 `json:"files,omitempty"`     // open files
	FileSize  uint64 `json:"fileSize,omitempty"`  // bytes of one file
	Memory    uint64 `json:"memory,omitempty"`    // bytes of private memory; not address space, because Node reserves a terabyte of that
	Signals   uint64 `json:"signals,omitempty"`   // timers and pending signals, in addition to the user's existing ones
}

// Default is enough for ordinary servers. For example, Node needs about a thousand open files for a
// large package. Linux counts files that are in transit in sockets over all programs of a user. A
// server can hold up to Files of them until it exits, and programs with a lower limit then fail to
// pass files.
var Default = Limits{Processes: 512, Files: 4096, FileSize: 256 << 20, Memory: 4 << 30, Signals: 256}
