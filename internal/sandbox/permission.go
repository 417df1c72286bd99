package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"
)

// A Kind is what a permission is about.
type Kind string

// The kinds of permission.
const (
	ToRead    Kind = "read"
	ToWrite   Kind = "write"
	ToHost    Kind = "host"
	ToNetwork Kind = "network" // all of it
	ToDesktop Kind = "desktop"
)

// A Permission is one thing that the user allowed a server, in the form in which
// it is kept as JSON.
type Permission struct {
	Kind Kind      `json:"kind"`
	Path string    `json:"path,omitempty"` // of ToRead and ToWrite, absolute
	Host string    `json:"host,omitempty"` // of ToHost, as ParseHost reads it
	At   time.Time `json:"at,omitzero"`    // when it was given
}

// String is what the user is asked to allow.
func (p Permission) String() string {
	switch p.Kind {
	case ToRead:
		return "read " + displayPath(p.Path)
	case ToWrite:
		return "read and write " + displayPath(p.Path)
	case ToHost:
		return "reach " + p.Host
	case ToNetwork:
		return "use the network"
	case ToDesktop:
		return "talk to your other programs"
	}
	return fmt.Sprintf("do what this goated does not know (%s)", string(p.Kind))
}

// Placed is p where it can be given: a file that is not there yet is made in its
// folder, which has to be written for that, and a link is what it leads to, so that
// nobody is asked for less than is given. It looks at the file system.
func (p Permission) Placed() Permission {
	if p.Kind != ToRead && p.Kind != ToWrite || !filepath.IsAbs(p.Path) {
		return p
	}
	for {
		real, err := filepath.EvalSymlinks(p.Path)
		if err == nil {
			p.Path = real
		}
		if !errors.Is(err, fs.ErrNotExist) || p.Path == filepath.Dir(p.Path) {
			return p
		}
		p.Kind, p.Path = ToWrite, filepath.Dir(p.Path)
	}
}

// is reports whether both are about the same.
func (p Permission) is(q Permission) bool {
	return p.Kind == q.Kind && p.Path == q.Path && p.Host == q.Host
}

// Permissions are all of one server. A kind that is not known allows nothing.
type Permissions []Permission

// With is ps and p, which takes the place of an equal one; ps is not changed.
func (ps Permissions) With(p Permission) Permissions { return append(ps.Without(p), p) }

// Without is ps after p was revoked; ps is not changed.
func (ps Permissions) Without(p Permission) Permissions {
	return slices.DeleteFunc(slices.Clone(ps), p.is)
}

// Grant is what ps allow together.
func (ps Permissions) Grant() Grant {
	var g Grant
	for _, p := range ps {
		switch p.Kind {
		case ToRead:
			g.Read = union(g.Read, []string{p.Path})
		case ToWrite:
			g.Write = union(g.Write, []string{p.Path})
		case ToHost:
			g.Hosts = unionHosts(g.Hosts, []string{p.Host})
		case ToNetwork:
			g.Network = AnyNetwork
		case ToDesktop:
			g.Desktop = true
		}
	}
	return g
}

// Has reports whether ps have what p is about.
func (ps Permissions) Has(p Permission) bool { return slices.ContainsFunc(ps, p.is) }

// Find is that of ps which is about the same as p, with its time.
func (ps Permissions) Find(p Permission) (found Permission, ok bool) {
	i := slices.IndexFunc(ps, p.is)
	if i < 0 {
		return found, false
	}
	return ps[i], true
}

// Permissions are what g grants, without when.
func (g Grant) Permissions() Permissions {
	var ps Permissions
	if g.Network == AnyNetwork {
		ps = append(ps, Permission{Kind: ToNetwork})
	}
	if g.Desktop {
		ps = append(ps, Permission{Kind: ToDesktop})
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
	return ps
}
