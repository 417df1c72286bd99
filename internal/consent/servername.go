package consent

import (
	"slices"
	"strings"

	"goated/client"
	"goated/internal/config"
	"goated/registry"
)

// ServerName returns the name of the running or saved server with an ID, or the ID if there is no such
// server. If the user gives a server no name, the server chooses its own. So ServerName appends the ID to a
// name that another server has, too.
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

// ServerName returns the current name of the grant's server: that of the running or saved server
// that starts in the same way. If there is none, it returns the server's ID at the time of the
// grant.
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
