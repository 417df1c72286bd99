package consent

import (
	"slices"
	"strings"

	"goated/client"
	"goated/internal/config"
	"goated/registry"
)

// ServerName returns the name of a server by its id, which calls and messages have: of the running one,
// or else of a saved one. If there is none, it returns the id. A server without a name of the user's chooses its own,
// so the id stands behind a name that another server has too.
func ServerName(id string, running []client.Server, saved []config.Launch) string {
	name, shared := "", false
	for _, s := range running {
		if s.ID == id {
			name = s.Name
		}
	}
	for _, l := range saved {
		if name == "" && l.Name != "" && registry.ServerID(l.Name) == id {
			name = l.Name
		}
	}
	for _, s := range running {
		shared = shared || s.ID != id && strings.EqualFold(s.Name, name)
	}
	for _, l := range saved {
		shared = shared || l.Name != "" && strings.EqualFold(l.Name, name) && registry.ServerID(l.Name) != id
	}
	switch {
	case name == "":
		return id
	case shared && name != id:
		return name + " (" + id + ")"
	}
	return name
}

// ServerName returns the name by which the user knows the server of the grant now: of the running or
// saved server that starts as it did. If there is none, it returns the id at the time of the grant.
func (g Grant) ServerName(running []client.Server, saved []config.Launch) string {
	for _, s := range running {
		if slices.ContainsFunc(slices.Concat(s.Tools, s.Off), func(e registry.Entry) bool { return e.Origin.Start == g.Start }) {
			return s.Name
		}
	}
	for _, l := range saved {
		if l.Name != "" && ConfigOf(l).Start() == g.Start {
			return l.Name
		}
	}
	return g.Server
}
