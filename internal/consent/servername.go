package consent

import (
	"slices"

	"goated/client"
	"goated/internal/config"
	"goated/registry"
)

// ServerName returns the name of a server by its id, which calls and messages have: of the running one,
// or else of a saved one. If there is none, it returns the id.
func ServerName(id string, running []client.Server, saved []config.Launch) string {
	for _, s := range running {
		if s.ID == id {
			return s.Name
		}
	}
	for _, l := range saved {
		if l.Name != "" && registry.ServerID(l.Name) == id {
			return l.Name
		}
	}
	return id
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
