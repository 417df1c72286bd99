// Package sandbox confines a server's process to what its policy allows.
//
// It owns the derivation of policies and their enforcement: rulesets, system call
// filters, limits, the notifier and the proxy. It must not know MCP, the client that
// starts servers, or who decides on a permission.
//
// A [Policy] is data: folders to read, folders to write, and the reachable hosts. [For] derives a
// server's default policy, and a [Grant] widens it. [Start] starts a command under it.
//
// On Linux, Landlock restricts files, TCP and signals, seccomp restricts the other system calls,
// and rlimits bound memory, files and processes. Landlock and seccomp apply to a thread and are
// inherited by its children. Each start therefore creates a thread that confines itself, starts the
// command and exits. No helper program is executed. The caller of [Start] may itself run in a
// [Bubble], which has its own processes and shared memory. The caller also runs a notifier, which
// handles the calls that a filter cannot judge, and a proxy to the allowed hosts. A [Sandbox] holds
// both. In folders that the user lets the process write, a folder broker makes the changes, because
// some files there stay protected.
//
// On every kernel, a process can still find out that a file exists, its size, its times and the
// target of a link. It can lock a file that it reads, and it can use up the processor or the disk.
package sandbox

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"

	"goated/internal/paths"
	"goated/internal/sandbox/busfilter"
	"goated/internal/sandbox/hold"
	"goated/internal/sandbox/limit"
)

// A Network determines how much of the network a server may reach.
type Network string

// With NamedHosts, a process reaches only the hosts of its policy, over TCP. It reaches names
// through the proxy in its environment, and addresses also directly. Refused hosts are reported,
// even if the list is empty.
const (
	NoNetwork  Network = "none" // no sockets
	NamedHosts Network = "hosts"
	AnyNetwork Network = "all"
)

// A Policy describes what a process and its descendants may do. Paths are absolute, and a folder
// includes everything below it. The zero value allows nothing, not even reading the program.
type Policy struct {
	Read     []string `json:"read,omitempty"`    // files and folders to read and execute
	Write    []string `json:"write,omitempty"`   // files and folders to read and write; Start creates missing ones as folders
	Present  []string `json:"present,omitempty"` // like Write, but Start does not create them
	Files    []string `json:"files,omitempty"`   // single files to write, which may be missing, and the files that belong to them
	System   []string `json:"system,omitempty"`  // like Read, but not shown to the user: libraries, time zones
	Network  Network  `json:"network,omitempty"` // empty means none
	Hosts    []string `json:"hosts,omitempty"`   // of NamedHosts, in the format of ParseHost
	Desktop  bool     `json:"desktop,omitempty"` // may use the sockets of the user's other programs
	State    string   `json:"state,omitempty"`   // its own writable folder, in STATE_DIRECTORY; may be empty
	Temp     string   `json:"temp,omitempty"`    // its own writable TMPDIR; may be empty
	Private  []string `json:"private,omitempty"` // folders that only a grant opens; see [Policy.Exposes]
	Limits   Limits   `json:"limits"`            // 0 means no limit
	Packages Packages `json:"packages,omitzero"`
	Enclosure

	via map[string][]string // the links through which For found paths of Read and System
}

// An Enclosure describes the environment of a process, and the parts of it that goated observes.
type Enclosure struct {
	Bubble  bool `json:"bubble,omitempty"`  // runs in a [Bubble] and may read its own /proc
	Shm     bool `json:"shm,omitempty"`     // may write its own /dev/shm
	Browser bool `json:"browser,omitempty"` // may run a browser, if it has its own network
	Reads   bool `json:"reads,omitempty"`   // report refused reads too, which slows the process; refused writes are always reported
	Asks    bool `json:"asks,omitempty"`    // the user may allow more hosts while it runs

	// Sockets lists the Unix sockets of other programs that the process may connect to without
	// Policy.Desktop: paths, patterns of paths (see [filepath.Match]), and abstract names, which
	// begin with @. The process cannot listen on any.
	Sockets []string `json:"sockets,omitempty"`

	// Buses lists D-Bus message buses that the process may connect to through a filter.
	Buses []busfilter.Bus `json:"buses,omitempty"`

	Ask hold.Ask `json:"-"` // asks about other hosts; nil refuses them

	Group *os.File `json:"-"` // adds the process to its control group, see [cgroup.Join]; may be nil

	Guarded   []string `json:"guarded,omitempty"`   // folders of Write and Present in which files that other programs run stay protected
	Protected []string `json:"protected,omitempty"` // such files at fixed places, see [protect.Fixed]
}

// Packages describes which packages a process installs, and where. The zero value allows no
// installation.
type Packages struct {
	Store      string   `json:"store,omitempty"`      // its own writable folder of installed packages
	Registries []string `json:"registries,omitempty"` // hosts to install from, in the format of ParseHost
	Install    bool     `json:"install,omitempty"`    // may reach Registries, at any address except those of this computer
}

// Limits bound the resources of a process.
type Limits = limit.Limits

// DefaultLimits are the limits of a server without a permission for more.
var DefaultLimits = limit.Default

// A Grant holds permissions that a user gave a server in addition to its default policy.
type Grant struct {
	Read    []string        `json:"read,omitempty"`
	Write   []string        `json:"write,omitempty"`
	Present []string        `json:"present,omitempty"`
	Files   []string        `json:"files,omitempty"` // single files to write, see [Policy]
	Network Network         `json:"network,omitempty"`
	Hosts   []string        `json:"hosts,omitempty"` // in the format of ParseHost
	Desktop bool            `json:"desktop,omitempty"`
	Sockets []string        `json:"sockets,omitempty"` // of other programs, see [Enclosure]
	Buses   []busfilter.Bus `json:"buses,omitempty"`
	Install bool            `json:"install,omitempty"` // may download packages
	Browser bool            `json:"browser,omitempty"` // may run a browser
	Limits  Limits          `json:"limits,omitzero"`   // higher limits; 0 changes nothing
}

// Empty reports whether g grants nothing.
func (g Grant) Empty() bool {
	return len(g.Read) == 0 && len(g.Write)+len(g.Present)+len(g.Files) == 0 && len(g.Hosts)+len(g.Sockets)+len(g.Buses) == 0 && g.Network != AnyNetwork && !g.Desktop && !g.Install && !g.Browser && g.Limits == Limits{}
}

// With returns a copy of p widened by g. It ignores relative paths and invalid hosts.
func (p Policy) With(g Grant) Policy {
	p.Limits = p.Limits.AtLeast(g.Limits)
	p.Read = union(p.Read, g.Read)
	p.Write = union(p.Write, g.Write)
	p.Present = union(p.Present, g.Present)
	p.Guarded = union(union(p.Guarded, g.Write), g.Present)
	p.Files = union(p.Files, g.Files)
	p.Hosts = unionHosts(p.Hosts, g.Hosts)
	p.Sockets, p.Buses = slices.Concat(p.Sockets, g.Sockets), slices.Concat(p.Buses, g.Buses)
	switch {
	case g.Network == AnyNetwork:
		p.Network = AnyNetwork
		p.System = union(p.System, resolver)
	case (len(p.Hosts) > 0 || g.Install) && p.Network != AnyNetwork:
		p.Network = NamedHosts
	}
	if g.Browser {
		p = p.withBrowser()
	}
	p.Desktop, p.Packages.Install = p.Desktop || g.Desktop, p.Packages.Install || g.Install
	p.Read, p.System = slices.DeleteFunc(p.Read, p.viaOwnLink), slices.DeleteFunc(slices.Clone(p.System), p.viaOwnLink)
	return p
}

// ConnectsLocally reports whether p lists sockets of other programs.
func (p Policy) ConnectsLocally() bool { return len(p.Sockets)+len(p.Buses) > 0 }

// viaOwnLink reports whether a path was found through a link that the process can write. An earlier
// run of the process may have created that link.
func (p Policy) viaOwnLink(path string) bool {
	return slices.ContainsFunc(p.via[path], func(link string) bool {
		at := filepath.Join(resolveLinks(filepath.Dir(link)), filepath.Base(link))
		return slices.ContainsFunc(p.writable(), func(dir string) bool { return paths.Within(link, dir) || paths.Within(at, resolveLinks(dir)) })
	})
}

// WithoutPrivate returns p widened by g, without paths that would open a private folder. It is for
// grants that the user did not confirm path by path.
func (p Policy) WithoutPrivate(g Grant) Policy {
	exposed := func(path string) bool { return p.exposes(path) }
	g.Read = slices.DeleteFunc(slices.Clone(g.Read), exposed)
	g.Write = slices.DeleteFunc(slices.Clone(g.Write), exposed)
	g.Files = slices.DeleteFunc(slices.Clone(g.Files), exposed)
	return p.With(g)
}

// Exposes reports whether p opens a private folder, or a part of one outside the server's own
// folder. A grant for a folder includes the private folders in it.
func (p Policy) Exposes() bool {
	return slices.ContainsFunc(slices.Concat(p.Read, p.Write, p.Present, p.Files), p.exposes)
}

func (p Policy) exposes(path string) bool {
	own := p.State != "" && paths.Within(path, filepath.Dir(p.State))
	return !own && (p.opens(path) || p.opens(resolveLinks(path)))
}

// opens reports whether path contains a private folder or is in one.
func (p Policy) opens(path string) bool {
	return slices.ContainsFunc(p.Private, func(private string) bool {
		for _, spelled := range []string{private, resolveLinks(private)} {
			if paths.Within(spelled, path) || paths.Within(path, spelled) {
				return true
			}
		}
		return false
	})
}

// Offline reports whether p allows no host.
func (p Policy) Offline() bool {
	return p.Network != AnyNetwork && (p.Network != NamedHosts || len(p.Hosts) == 0 && !p.Packages.Install)
}

// unionHosts joins lists of hosts, in canonical form and without duplicates.
func unionHosts(a, b []string) []string {
	out := slices.Clone(a)
	for _, h := range parseHosts(b) {
		if text := h.String(); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// union joins lists of absolute paths without duplicates, into a new slice.
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

// ResolveLinks resolves the links in a path. The end of the path need not exist.
func ResolveLinks(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil || path == filepath.Dir(path) {
		return cmp.Or(real, path)
	}
	return filepath.Join(ResolveLinks(filepath.Dir(path)), filepath.Base(path))
}
