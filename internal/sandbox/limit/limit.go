// Package limit holds the limits of a process: how many files it may open, how much memory
// it may use, and how many processes it may start. It sets them. It must not know
// policies or permissions.
package limit

// Limits bound the resources of a process. All but Processes and Signals apply to each
// process separately: without a cgroup, Linux has no sums.
type Limits struct {
	Processes uint64 `json:"processes,omitempty"` // processes and threads, in addition to the user's at the start
	Files     uint64 `json:"files,omitempty"`     // open files
	FileSize  uint64 `json:"fileSize,omitempty"`  // bytes of one file
	Memory    uint64 `json:"memory,omitempty"`    // bytes of private memory; not address space, because node reserves a terabyte of it
	Signals   uint64 `json:"signals,omitempty"`   // timers and pending signals, in addition to the user's at the start
}

// Default are enough for ordinary servers: Node needs about a thousand files for
// a large package. Linux counts the files that are in transit in sockets over all
// programs of a user, so a server can hold up to Files of them until it ends; programs
// with a lower limit then fail to pass files.
var Default = Limits{Processes: 512, Files: 4096, FileSize: 256 << 20, Memory: 4 << 30, Signals: 256}
