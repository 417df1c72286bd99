// Package registry contains the union of the tools of all connected servers: which server offers
// which tool, the name under which a model calls it, and which tools cannot be called and why.
//
// The package is pure data. It must not depend on processes, connections or models; its only
// vocabulary is [mcp.Tool]. client.Host owns the only [Registry] of a process and guards it with a
// mutex.
package registry

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An Entry is a tool that can be called.
type Entry struct {
	Name    string    // qualified, unique in the registry: [Qualify](Server, Tool.Name)
	Server  string    // ID of the server, chosen by the host
	Tool    *mcp.Tool // as the server declared it; do not change it
	Bundled bool      // the server is part of goated, so its annotations are trusted
	Origin  Origin    // of the server
	// Input is the JSON of the input schema as the server sent it, or "" if unknown. It is not part
	// of the definition, whose member names are sorted.
	Input string
}

// Schema returns the input schema as JSON with its members in the server's order, or the decoded
// schema if the JSON is unknown.
func (e Entry) Schema() any {
	if e.Input != "" {
		return json.RawMessage(e.Input)
	}
	return e.Tool.InputSchema
}

// An Uncallable is a tool that a server offers but that cannot be called.
type Uncallable struct {
	Server string
	Tool   *mcp.Tool // nil if the server sent null
	Reason string    // a sentence for the user
}

// A Registry is exactly the union of the tools of its servers (seed 003, property 3). The zero
// value is an empty registry. It is not safe for concurrent use. Slices that it has returned stay
// valid after it changes.
type Registry struct {
	servers map[string]*serverTools
	byName  map[string]*Entry // points into taken of servers
	entries []Entry           // see All; nil after a change
}

// A serverTools holds the tools of one server.
type serverTools struct {
	bundled    bool
	origin     Origin
	tools      []*mcp.Tool          // as received, in the server's order
	inputs     map[*mcp.Tool]string // see Entry.Input
	taken      []Entry              // callable tools, sorted by name
	off        []Entry              // tools that the user turned off, sorted by name
	uncallable []Uncallable
}

// Set replaces all tools of server. from is the origin of the server, or the zero value if unknown.
// Tools without a name and tools with the same name become uncallable. The tools in off cannot be
// called until a later Set; see [Registry.ToolsOff].
func (r *Registry) Set(server string, bundled bool, from Origin, tools []*mcp.Tool, off ...string) {
	if r.servers == nil {
		r.servers, r.byName = make(map[string]*serverTools), make(map[string]*Entry)
	}
	r.Remove(server)
	o := &serverTools{bundled: bundled, origin: from, tools: slices.Clone(tools)}
	o.taken, o.uncallable = splitCallable(server, o)
	slices.SortFunc(o.taken, compare)
	if len(off) > 0 {
		all := o.taken
		o.taken = nil
		for _, e := range all {
			if slices.Contains(off, e.Tool.Name) {
				o.off = append(o.off, e)
			} else {
				o.taken = append(o.taken, e)
			}
		}
	}
	for i := range o.taken {
		r.byName[o.taken[i].Name] = &o.taken[i]
	}
	r.servers[server] = o
}

// SetInputs sets [Entry.Input] for tools of server.
func (r *Registry) SetInputs(server string, inputs map[*mcp.Tool]string) {
	o := r.servers[server]
	if o == nil {
		return
	}
	o.inputs = inputs
	for _, list := range [][]Entry{o.taken, o.off} {
		for i := range list {
			list[i].Input = inputs[list[i].Tool]
		}
	}
	r.entries = nil
}

// Remove removes the tools of server.
func (r *Registry) Remove(server string) {
	if o := r.servers[server]; o != nil {
		for _, e := range o.taken {
			delete(r.byName, e.Name)
		}
		delete(r.servers, server)
	}
	r.entries = nil
}

// Lookup returns the tool with a qualified name.
func (r *Registry) Lookup(name string) (Entry, bool) {
	if e := r.byName[name]; e != nil {
		return *e, true
	}
	return Entry{}, false
}

// FindByName returns the tools that a user may mean by name: the tool with that qualified name, or
// otherwise every tool that has that name at its server.
func (r *Registry) FindByName(name string) []Entry {
	if e := r.byName[name]; e != nil {
		return []Entry{*e}
	}
	var found []Entry
	for _, e := range r.All() {
		if e.Tool.Name == name {
			found = append(found, e)
		}
	}
	return found
}

// All returns every callable tool, sorted by server ID and then by tool name, so that the same
// servers always result in the same prompt. Do not change the slice.
func (r *Registry) All() []Entry {
	if r.entries == nil && len(r.byName) > 0 {
		r.entries = make([]Entry, 0, len(r.byName))
		for _, server := range slices.Sorted(maps.Keys(r.servers)) {
			r.entries = append(r.entries, r.servers[server].taken...)
		}
	}
	return r.entries
}

// ServerTools returns the callable tools of one server. Do not change the slice.
func (r *Registry) ServerTools(server string) []Entry {
	if o := r.servers[server]; o != nil {
		return o.taken[:len(o.taken):len(o.taken)]
	}
	return nil
}

// Switch turns off the tools in off and turns on all other tools of server, like [Registry.Set].
func (r *Registry) Switch(server string, off []string) {
	if o := r.servers[server]; o != nil {
		r.Set(server, o.bundled, o.origin, o.tools, off...)
		r.SetInputs(server, o.inputs)
	}
}

// ToolsOff returns the tools of one server that the user turned off. Do not change the slice.
func (r *Registry) ToolsOff(server string) []Entry {
	if o := r.servers[server]; o != nil {
		return o.off[:len(o.off):len(o.off)]
	}
	return nil
}

// LookupOff returns a tool that the user turned off, by its qualified name or by its name at its
// server. If several servers have such a tool, it returns that of the server with the lowest ID.
func (r *Registry) LookupOff(name string) (Entry, bool) {
	for _, server := range slices.Sorted(maps.Keys(r.servers)) {
		for _, e := range r.servers[server].off {
			if e.Name == name || e.Tool.Name == name {
				return e, true
			}
		}
	}
	return Entry{}, false
}

// Uncallable returns the tools of one server that cannot be called, in the server's order.
func (r *Registry) Uncallable(server string) []Uncallable {
	if o := r.servers[server]; o != nil {
		return o.uncallable
	}
	return nil
}

// LookupUncallable returns a tool that cannot be called, by the qualified name that it would have,
// or by its name at its server. If several servers have such a tool, it returns that of the server
// with the lowest ID.
func (r *Registry) LookupUncallable(name string) (Uncallable, bool) {
	for _, server := range slices.Sorted(maps.Keys(r.servers)) {
		for _, p := range r.servers[server].uncallable {
			if p.Tool != nil && p.Tool.Name != "" && (p.Tool.Name == name || Qualify(server, p.Tool.Name) == name) {
				return p, true
			}
		}
	}
	return Uncallable{}, false
}

// splitCallable separates callable tools from uncallable ones.
func splitCallable(server string, o *serverTools) (taken []Entry, uncallable []Uncallable) {
	count := make(map[string]int)
	for _, t := range o.tools {
		if t != nil {
			count[t.Name]++
		}
	}
	for _, t := range o.tools {
		switch {
		case t == nil:
			uncallable = append(uncallable, Uncallable{server, nil, "The server sent an empty tool."})
		case t.Name == "":
			uncallable = append(uncallable, Uncallable{server, t, "The tool has no name."})
		case count[t.Name] > 1:
			// "Tool names SHOULD be unique within a server" (MCP, Tools). None of them can be
			// called, because otherwise the server would decide which tool a granted name runs.
			uncallable = append(uncallable, Uncallable{server, t, fmt.Sprintf("The server offers %d tools named %q, so none of them can be called.", count[t.Name], t.Name)})
		default:
			taken = append(taken, Entry{Name: Qualify(server, t.Name), Server: server, Tool: t, Bundled: o.bundled, Origin: o.origin})
		}
	}
	return taken, uncallable
}

func compare(a, b Entry) int {
	if c := strings.Compare(a.Server, b.Server); c != 0 {
		return c
	}
	return strings.Compare(a.Tool.Name, b.Tool.Name)
}
