package sandbox

import (
	"fmt"
	"slices"
	"time"

	"goated/internal/sandbox/limit"
)

// A Kind is the kind of access that a permission gives.
type Kind string

// The kinds of permission.
const (
	ToRead  Kind = "read"
	ToWrite Kind = "write"
	// ToWriteFile allows writing one file, which may be missing, and the files that belong to it.
	ToWriteFile Kind = "file"
	ToHost      Kind = "host"
	ToNetwork   Kind = "network" // the whole network
	ToDesktop   Kind = "desktop"
	ToInstall   Kind = "install" // packages, from the configured registries
	ToBrowser   Kind = "browser"
	ToLimit     Kind = "limit"      // a higher limit
	Unanswered  Kind = "unanswered" // no permission: the host is allowed but does not respond
)

// A Permission is one access that the user allowed a server. It is stored as JSON.
type Permission struct {
	Kind Kind      `json:"kind"`
	Path string    `json:"path,omitempty"` // of ToRead, ToWrite and ToWriteFile, absolute
	Host string    `json:"host,omitempty"` // of ToHost, in the format of ParseHost
	At   time.Time `json:"at,omitzero"`    // when the user gave it
	// Limit and Amount are set only for ToLimit.
	Limit  limit.Kind `json:"limit,omitempty"`
	Amount uint64     `json:"amount,omitempty"`
}

// String completes the question "Allow it to …?".
func (p Permission) String() string {
	switch p.Kind {
	case ToRead:
		return "read " + displayPath(p.Path)
	case ToWrite:
		return "read and write " + displayPath(p.Path)
	case ToWriteFile:
		return "read and write the file " + displayPath(p.Path)
	case ToHost:
		return "reach " + p.Host
	case ToNetwork:
		return "use the network"
	case ToDesktop:
		return "talk to your other programs"
	case ToInstall:
		return "install packages"
	case ToBrowser:
		return "run a browser"
	case ToLimit:
		return "use " + limit.Text(p.Limit, p.Amount)
	}
	return fmt.Sprintf("do something that this version of goated does not know (%s)", string(p.Kind))
}

// is reports whether both give the same access.
func (p Permission) is(q Permission) bool {
	p.At, q.At = time.Time{}, time.Time{}
	return p == q
}

// Permissions are the permissions of one server. Unknown kinds allow nothing.
type Permissions []Permission

// With returns a copy of ps with p. p replaces an equal permission, and one with another amount for
// the same limit.
func (ps Permissions) With(p Permission) Permissions {
	return append(slices.DeleteFunc(ps.Without(p), func(q Permission) bool { return p.Kind == ToLimit && q.Kind == ToLimit && q.Limit == p.Limit }), p)
}

// Without returns a copy of ps without p.
func (ps Permissions) Without(p Permission) Permissions {
	return slices.DeleteFunc(slices.Clone(ps), p.is)
}

// Grant combines all permissions in ps.
func (ps Permissions) Grant() Grant {
	var g Grant
	for _, p := range ps {
		switch p.Kind {
		case ToRead:
			g.Read = union(g.Read, []string{p.Path})
		case ToWrite:
			g.Write = union(g.Write, []string{p.Path})
		case ToWriteFile:
			g.Files = union(g.Files, []string{p.Path})
		case ToHost:
			g.Hosts = unionHosts(g.Hosts, []string{p.Host})
		case ToNetwork:
			g.Network = AnyNetwork
		case ToDesktop:
			g.Desktop = true
		case ToInstall:
			g.Install = true
		case ToBrowser:
			g.Browser = true
		case ToLimit:
			if slices.Contains(limit.Kinds, p.Limit) {
				g.Limits = g.Limits.With(p.Limit, max(p.Amount, g.Limits.Of(p.Limit)))
			}
		}
	}
	return g
}

// Has reports whether ps gives the access of p.
func (ps Permissions) Has(p Permission) bool { return slices.ContainsFunc(ps, p.is) }

// Find returns the permission in ps that gives the same access as p, with its time.
func (ps Permissions) Find(p Permission) (found Permission, ok bool) {
	i := slices.IndexFunc(ps, p.is)
	if i < 0 {
		return found, false
	}
	return ps[i], true
}

// Permissions splits g into permissions without a time.
func (g Grant) Permissions() Permissions {
	var ps Permissions
	if g.Network == AnyNetwork {
		ps = append(ps, Permission{Kind: ToNetwork})
	}
	if g.Desktop {
		ps = append(ps, Permission{Kind: ToDesktop})
	}
	if g.Install {
		ps = append(ps, Permission{Kind: ToInstall})
	}
	if g.Browser {
		ps = append(ps, Permission{Kind: ToBrowser})
	}
	for _, k := range limit.Kinds {
		if n := g.Limits.Of(k); n > 0 {
			ps = append(ps, Permission{Kind: ToLimit, Limit: k, Amount: n})
		}
	}
	for _, host := range g.Hosts {
		ps = append(ps, Permission{Kind: ToHost, Host: host})
	}
	for _, path := range g.Read {
		ps = append(ps, Permission{Kind: ToRead, Path: path})
	}
	for _, path := range g.Write {
		ps = append(ps, Permission{Kind: ToWrite, Path: path})
	}
	for _, path := range g.Files {
		ps = append(ps, Permission{Kind: ToWriteFile, Path: path})
	}
	return ps
}
