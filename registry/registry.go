// Package registry holds the union of the tools of all connected servers: which
// server offers which tool, the name under which a model calls it, and the tools
// that can't be called, with the reason.
//
// The package is pure data. It must not know of processes, connections or models;
// its only vocabulary is [mcp.Tool]. client.Host owns the one [Registry] of a
// process and guards it with its mutex.
package registry

import (
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An Entry is a tool that can be called.
type Entry struct {
	Name    string    // qualified, unique in the registry: [Qualify](Server, Tool.Name)
	Server  string    // id of the server, chosen by the host
	Tool    *mcp.Tool // as the server declared it; do not change it
	Bundled bool      // the server is part of goated, so its annotations are trusted
}

// A Parked tool is one that a server offers but that can't be called.
type Parked struct {
	Server string
	Tool   *mcp.Tool // nil if the server sent null
	Reason string    // a sentence for the user
}

// A Registry is exactly the union of the tools of its servers (seed 003, property
// 3). The zero value is an empty registry. It is not safe for concurrent use. Slices
// that it returned stay valid after it changes.
type Registry struct {
	servers map[string]*offer
	byName  map[string]Entry
	entries []Entry // sorted by server, then by tool name; rebuild replaces it
}

// An offer holds the tools of one server.
type offer struct {
	bundled bool
	tools   []*mcp.Tool // as received, in the server's order
	parked  []Parked
}

// Set replaces all tools of server. It parks tools without a name and tools of the
// same name.
func (r *Registry) Set(server string, bundled bool, tools []*mcp.Tool) {
	if r.servers == nil {
		r.servers = make(map[string]*offer)
	}
	r.servers[server] = &offer{bundled: bundled, tools: slices.Clone(tools)}
	r.rebuild()
}

// Remove removes the tools of server.
func (r *Registry) Remove(server string) {
	delete(r.servers, server)
	r.rebuild()
}

// Lookup returns the tool with a qualified name.
func (r *Registry) Lookup(name string) (Entry, bool) {
	e, ok := r.byName[name]
	return e, ok
}

// Named returns the tools that a user may mean by name: the tool with that qualified
// name, or else every tool that has that name at its server.
func (r *Registry) Named(name string) []Entry {
	if e, ok := r.byName[name]; ok {
		return []Entry{e}
	}
	var found []Entry
	for _, e := range r.entries {
		if e.Tool.Name == name {
			found = append(found, e)
		}
	}
	return found
}

// All returns every tool, sorted by server id and then by tool name, so that the
// same servers always make the same prompt. Do not change the slice.
func (r *Registry) All() []Entry { return r.entries }

// Of returns the tools of one server that can be called. Do not change the slice.
func (r *Registry) Of(server string) []Entry {
	lo, _ := slices.BinarySearchFunc(r.entries, server, func(e Entry, s string) int { return strings.Compare(e.Server, s) })
	hi := lo
	for hi < len(r.entries) && r.entries[hi].Server == server {
		hi++
	}
	return r.entries[lo:hi:hi]
}

// Parked returns the tools of one server that can't be called, in the server's
// order.
func (r *Registry) Parked(server string) []Parked {
	if o := r.servers[server]; o != nil {
		return o.parked
	}
	return nil
}

// rebuild derives entries, byName and parked from the offers alone, so that no
// earlier state can remain.
func (r *Registry) rebuild() {
	r.byName = make(map[string]Entry)
	r.entries = nil
	for server, o := range r.servers {
		var taken []Entry
		taken, o.parked = sift(server, o)
		r.entries = append(r.entries, taken...)
	}
	slices.SortFunc(r.entries, compare)
	for _, e := range r.entries {
		r.byName[e.Name] = e
	}
}

// sift separates the tools that can be called from those that can't.
func sift(server string, o *offer) (taken []Entry, parked []Parked) {
	count := make(map[string]int)
	for _, t := range o.tools {
		if t != nil {
			count[t.Name]++
		}
	}
	for _, t := range o.tools {
		switch {
		case t == nil:
			parked = append(parked, Parked{server, nil, "The server sent an empty tool."})
		case t.Name == "":
			parked = append(parked, Parked{server, t, "The tool has no name."})
		case count[t.Name] > 1:
			// "Tool names SHOULD be unique within a server" (MCP, Tools). Park all of
			// them: otherwise the server decides which tool a granted name runs.
			parked = append(parked, Parked{server, t, fmt.Sprintf("The server offers %d tools named %q, so none of them can be called.", count[t.Name], t.Name)})
		default:
			taken = append(taken, Entry{Name: Qualify(server, t.Name), Server: server, Tool: t, Bundled: o.bundled})
		}
	}
	return taken, parked
}

func compare(a, b Entry) int {
	if c := strings.Compare(a.Server, b.Server); c != 0 {
		return c
	}
	return strings.Compare(a.Tool.Name, b.Tool.Name)
}
