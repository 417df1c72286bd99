package busfilter

import (
	"slices"
	"strings"
)

// The names of the bus itself.
const (
	driver    = "org.freedesktop.DBus" // also the interface
	anyBelow  = ".*"
	ownerFlow = "NameOwnerChanged"
)

// fits reports whether names contains a name, or an entry that ends with ".*" and is its prefix.
func fits(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		begin, below := strings.CutSuffix(n, anyBelow)
		return n == name || below && strings.HasPrefix(name, begin+".")
	})
}

// unique reports whether a name is a connection's unique name, which the bus assigns.
func unique(name string) bool { return strings.HasPrefix(name, ":") }

// sees reports whether the client may find out who owns a well-known name.
func (r Rules) sees(name string) bool {
	return r.Peers || fits(r.See, name) || slices.ContainsFunc(r.Talk, func(t Talk) bool { return t.Name == name })
}

// names returns the names whose owners the filter must track.
func (r Rules) names() []string {
	if r.Peers {
		return nil
	}
	out := slices.Clone(r.See)
	for _, t := range r.Talk {
		out = append(out, t.Name)
	}
	return out
}

// talk returns what the client may do with a program. owned are the names that the program owns.
// destination is one of them, or the program's unique name.
func (r Rules) talk(destination string, owned []string) []Talk {
	if r.Peers && unique(destination) {
		return r.Talk[:min(1, len(r.Talk))]
	}
	var out []Talk
	for _, t := range r.Talk {
		if t.Name == destination || unique(destination) && slices.Contains(owned, t.Name) {
			out = append(out, t)
		}
	}
	return out
}

// call returns the rule that allows a call, or nil if there is none. first returns the call's first
// argument.
func call(to []Talk, h *header, first func() (string, bool)) *Call {
	for _, t := range to {
		for i, c := range t.Calls {
			if c.Interface != h.iface || len(c.Members) > 0 && !slices.Contains(c.Members, h.member) {
				continue
			}
			if len(c.First) > 0 {
				if value, ok := first(); !ok || !slices.Contains(c.First, value) {
					continue
				}
			}
			return &t.Calls[i]
		}
	}
	return nil
}

// signals reports whether the client gets the signals of an interface.
func signals(from []Talk, iface string) bool {
	return slices.ContainsFunc(from, func(t Talk) bool { return fits(t.Signals, iface) })
}

// files reports whether a reply may contain open files.
func (r Rules) files() bool {
	return slices.ContainsFunc(r.Talk, func(t Talk) bool { return slices.ContainsFunc(t.Calls, func(c Call) bool { return c.Files }) })
}
