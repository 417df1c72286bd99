// Package sandbox confines a server's process to what its policy allows.
//
// A [Policy] is data: folders to read, folders to write, and what of the network
// there is. [For] derives the default one of a server, a [Grant] widens it, and
// [Policy.Sentences] says it in plain words. [Start] starts a command under it.
//
// On Linux Landlock guards files, TCP and signals, seccomp the rest of the
// system calls, and rlimits the machine. Both are attributes of one thread that
// its children inherit: a thread is made for each start, confines itself, starts
// the command and ends. Neither goated nor a helper is executed again for it.
// Around whoever calls [Start] there may be a [Bubble], with processes and shared
// memory of its own. Beside the process, in whoever started it, are a deputy, which
// does what a filter of calls can't judge, and a proxy to the hosts that it may
// reach: a [Sandbox].
//
// What remains open, on every kernel: to learn that a file exists, how large it
// is, when it changed, and where a link leads; to lock what is read; and to use up
// the processor, or the room of the disk file by file.
package sandbox

import (
	"path/filepath"
	"slices"
)

// A Network is what a server may reach of it.
type Network string

// With NamedHosts, a process reaches the hosts of its policy and nothing else,
// by TCP: names through a proxy that its environment names, addresses also by
// itself. What it is refused is known, be the list empty.
const (
	NoNetwork  Network = "none" // not even a socket
	NamedHosts Network = "hosts"
	AnyNetwork Network = "all"
)

// A Policy says what a process, and all that it starts, may do. Paths are
// absolute; a folder stands for all that is below it. The zero value may do
// nothing at all, not even read its program.
type Policy struct {
	Read    []string `json:"read,omitempty"`    // files and folders to read and to run programs from
	Write   []string `json:"write,omitempty"`   // files and folders to read and write; a missing one is made, as a folder
	Present []string `json:"present,omitempty"` // as Write, where it is there; it is not made
	System  []string `json:"system,omitempty"`  // read as Read is, and not worth telling: libraries, time zones
	Network Network  `json:"network,omitempty"` // empty means none
	Hosts   []string `json:"hosts,omitempty"`   // of NamedHosts, as ParseHost reads them
	Desktop bool     `json:"desktop,omitempty"` // may talk to the user's other programs over local sockets
	State   string   `json:"state,omitempty"`   // its own folder, written, and told as STATE_DIRECTORY; empty: none
	Temp    string   `json:"temp,omitempty"`    // its own TMPDIR, written; empty: none
	Private []string `json:"private,omitempty"` // folders that only a grant opens, see [Policy.Exposes]
	Limits  Limits   `json:"limits"`            // 0 means no limit
	Bubble  bool     `json:"bubble,omitempty"`  // starts in a [Bubble]: /proc is its own, and read
	Shm     bool     `json:"shm,omitempty"`     // /dev/shm is its own, too, and written

	via map[string][]string // what of Read and System links led to, as For found it
}

// Limits bound what a process takes of the machine. All but Processes and Signals
// are for each process alone: Linux counts no sums without a cgroup.
type Limits struct {
	Processes uint64 `json:"processes,omitempty"` // processes and threads beyond those that run at the start
	Files     uint64 `json:"files,omitempty"`     // open at the same time
	FileSize  uint64 `json:"fileSize,omitempty"`  // bytes in one file
	Memory    uint64 `json:"memory,omitempty"`    // bytes of its own; not address space, of which node reserves a terabyte
	Signals   uint64 `json:"signals,omitempty"`   // timers and waiting signals beyond those of the user's at the start
}

// DefaultLimits leave room for every server that does ordinary work. Linux counts
// the files that wait in sockets over all of a user's programs, and refuses one to
// whoever has a lower limit of files, 1024 as a rule: a server's is low enough to
// be refused first, also with one more message of 253 files.
var DefaultLimits = Limits{Processes: 512, Files: 640, FileSize: 256 << 20, Memory: 4 << 30, Signals: 256}

// A Grant is what the user allowed a server beyond its default policy.
type Grant struct {
	Read    []string `json:"read,omitempty"`
	Write   []string `json:"write,omitempty"`
	Present []string `json:"present,omitempty"`
	Network Network  `json:"network,omitempty"`
	Hosts   []string `json:"hosts,omitempty"` // as ParseHost reads them
	Desktop bool     `json:"desktop,omitempty"`
}

// Empty reports whether g grants nothing.
func (g Grant) Empty() bool {
	return len(g.Read) == 0 && len(g.Write)+len(g.Present) == 0 && len(g.Hosts) == 0 && g.Network != AnyNetwork && !g.Desktop
}

// With is p widened by g; p itself is not changed. Paths that are not absolute
// grant nothing, and neither does what is no host.
func (p Policy) With(g Grant) Policy {
	p.Read = union(p.Read, g.Read)
	p.Write = union(p.Write, g.Write)
	p.Present = union(p.Present, g.Present)
	p.Hosts = unionHosts(p.Hosts, g.Hosts)
	switch {
	case g.Network == AnyNetwork:
		p.Network = AnyNetwork
		p.System = union(p.System, resolver)
	case len(p.Hosts) > 0 && p.Network != AnyNetwork:
		p.Network = NamedHosts
	}
	p.Desktop = p.Desktop || g.Desktop
	p.Read, p.System = slices.DeleteFunc(p.Read, p.viaOwnLink), slices.DeleteFunc(slices.Clone(p.System), p.viaOwnLink)
	return p
}

// viaOwnLink reports whether a path was found by a link that the process may have made
// in an earlier life.
func (p Policy) viaOwnLink(path string) bool {
	return slices.ContainsFunc(p.via[path], func(link string) bool {
		at := filepath.Join(resolveLinks(filepath.Dir(link)), filepath.Base(link))
		return slices.ContainsFunc(p.writable(), func(dir string) bool { return within(link, dir) || within(at, resolveLinks(dir)) })
	})
}

// Spared is p widened by g, but for what would open a private folder: what is
// allowed by the way is not allowed that.
func (p Policy) Spared(g Grant) Policy {
	exposed := func(path string) bool { return p.exposes(path) }
	g.Read = slices.DeleteFunc(slices.Clone(g.Read), exposed)
	g.Write = slices.DeleteFunc(slices.Clone(g.Write), exposed)
	return p.With(g)
}

// Exposes reports whether p opens a private folder, or a part of one that is not
// the server's own: a person who grants a folder grants what lies in it.
func (p Policy) Exposes() bool {
	return slices.ContainsFunc(slices.Concat(p.Read, p.Write, p.Present), p.exposes)
}

func (p Policy) exposes(path string) bool {
	own := p.State != "" && within(path, filepath.Dir(p.State))
	return !own && (p.opens(path) || p.opens(resolveLinks(path)))
}

// opens reports whether who may use path may use a private folder or a part of it.
func (p Policy) opens(path string) bool {
	return slices.ContainsFunc(p.Private, func(private string) bool {
		for _, spelled := range []string{private, resolveLinks(private)} {
			if within(spelled, path) || within(path, spelled) {
				return true
			}
		}
		return false
	})
}

// Offline reports whether p reaches nothing at all of the network.
func (p Policy) Offline() bool {
	return p.Network != AnyNetwork && (p.Network != NamedHosts || len(p.Hosts) == 0)
}

// unionHosts is both lists of hosts, each in its one spelling and once.
func unionHosts(a, b []string) []string {
	out := slices.Clone(a)
	for _, h := range parseHosts(b) {
		if text := h.String(); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// union is both lists without what is there twice, in a slice of its own.
func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, path := range b {
		if !filepath.IsAbs(path) {
			continue
		}
		if path = filepath.Clean(path); !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	return out
}
