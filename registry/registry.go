// Package registry is the union of the tools of all connected servers: which
// server offers what, under which name a model calls it, and which tools could
// not be taken in and why.
//
// It is data. It knows nothing of processes, sessions or models; its only
// vocabulary is [mcp.Tool]. One owner writes it (client.Host, under its mutex)
// and hands out what it holds.
package registry

import (
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An Entry is one tool that can be called.
type Entry struct {
	Name    string    // qualified, unique in the registry: [Qualify](Server, Tool.Name)
	Server  string    // id of the server, chosen by the host
	Tool    *mcp.Tool // as the server declared it; not to be changed
	Bundled bool      // the server is goated's own, so its annotations can be believed
}

// A Parked tool was offered by a server but can't be called, and says why.
type Parked struct {
	Server string
	Tool   *mcp.Tool // nil where the server sent none
	Reason string    // a sentence for the user
}

// A Registry is exactly the union of the tools of its servers (seed 003,
// property 3). The zero value is empty and ready. It is not safe for concurrent
// use; what it returns stays valid after it changes.
type Registry struct {
	servers map[string]*offer
	byName  map[string]Entry
	entries []Entry // sorted by server, then by tool name; replaced, never edited
}

// An offer is what one server brought.
type offer struct {
	bundled bool
	tools   []*mcp.Tool // as received, in the server's order
	parked  []Parked
}

// Set makes tools the whole offer of server, in place of any earlier one.
// Tools that can't be told apart or have no name are parked, never dropped.
func (r *Registry) Set(server string, bundled bool, tools []*mcp.Tool) {
	if r.servers == nil {
		r.servers = make(map[string]*offer)
	}
	r.servers[server] = &offer{bundled: bundled, tools: slices.Clone(tools)}
	r.rebuild()
}

// Remove takes away exactly what server offered.
func (r *Registry) Remove(server string) {
	delete(r.servers, server)
	r.rebuild()
}

// Lookup finds a tool by its qualified name.
func (r *Registry) Lookup(name string) (Entry, bool) {
	e, ok := r.byName[name]
	return e, ok
}

// Named finds the tools that a person means by name: the one with that
// qualified name, or else every tool whose server calls it so.
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

// All returns every tool, ordered by server id and then by tool name, so that
// the same servers always make the same prompt. The slice is the caller's to
// read, not to change.
func (r *Registry) All() []Entry { return r.entries }

// Of returns the tools of one server that can be called.
func (r *Registry) Of(server string) []Entry {
	lo, _ := slices.BinarySearchFunc(r.entries, server, func(e Entry, s string) int { return strings.Compare(e.Server, s) })
	hi := lo
	for hi < len(r.entries) && r.entries[hi].Server == server {
		hi++
	}
	return r.entries[lo:hi:hi]
}

// Parked returns the tools of one server that can't be called, in its order.
func (r *Registry) Parked(server string) []Parked {
	if o := r.servers[server]; o != nil {
		return o.parked
	}
	return nil
}

// rebuild derives everything that is looked up from the offers alone, so that
// no sequence of changes can leave a trace of an earlier one.
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

// sift parts an offer into tools that can be called and tools that can't.
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
			// "Tool names SHOULD be unique within a server" (MCP, Tools). All
			// copies are parked: to guess which one is meant would be to let the
			// server decide what a granted name runs.
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
