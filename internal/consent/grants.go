package consent

import (
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"goated/internal/state"
	"goated/registry"
)

// A Grant permanently allows one tool. It is bound to the tool's definition, the server's program
// and its instructions. The zero value allows nothing.
type Grant struct {
	Server  string `json:"server"` // the ID of the server at the time
	Start   string `json:"start"`  // how the server starts; see registry.Origin
	Code    string `json:"code,omitempty"`
	Files   string `json:"files,omitempty"` // digests of the files of the code, for the difference
	Version string `json:"version,omitempty"`
	// Instructions are the server's instructions for the model at the time.
	Instructions string              `json:"instructions,omitempty"`
	Tool         registry.Definition `json:"tool"`
	At           time.Time           `json:"at"`
	// Reads means that the user allowed the tool together with the other read-only tools of its
	// server.
	Reads bool `json:"reads,omitempty"`
}

// ID returns a short ID of the grant for commands. It stays the same if the grant is renewed for a
// changed tool.
func (g Grant) ID() string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q %q %q", g.Server, g.Start, g.Tool.Name)))[:8]
}

// Group returns a short ID that all grants of a server's read-only tools share if the user allowed
// them together. It returns "" for any other grant.
func (g Grant) Group() string {
	if !g.Reads {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "reads %q %q", g.Server, g.Start)))[:8]
}

// grantOf returns the grant for an entry.
func grantOf(e registry.Entry, at time.Time) Grant {
	return Grant{Server: e.Server, Start: e.Origin.Start, Code: e.Origin.Code, Files: e.Origin.Files, Version: e.Origin.Version, Instructions: e.Origin.Instructions, Tool: registry.DefinitionOf(e.Tool), At: at}
}

// allows reports whether g allows the tool that now describes. They may differ only in the time.
func (g Grant) allows(now Grant) bool {
	return g.Start == now.Start && g.Code == now.Code && g.Version == now.Version && g.Instructions == now.Instructions && g.Tool.Digest() == now.Tool.Digest()
}

// sameTool reports whether g and now describe the same tool, possibly before and after a change. The
// tool may belong to the same program, or to another one under the same server ID.
func (g Grant) sameTool(now Grant) bool {
	return g.Tool.Name == now.Tool.Name && (g.Start == now.Start || g.Server == now.Server)
}

// Grants stores in a file which tools the user always allows. Several processes may use the file at
// the same time. Each method sees the changes that other processes have made. The methods are safe
// for concurrent use.
type Grants struct {
	file state.File
	now  func() time.Time

	mu      sync.Mutex
	list    grantList
	unsaved []func(*grantList) // the changes that are in list but not in the file, in order
	loaded  os.FileInfo        // of the file when it was read; nil: it did not exist
	lost    error              // why the list is empty, until Damage has returned it
}

// A grantList is the JSON in the file.
type grantList struct {
	Grants []Grant `json:"grants,omitempty"`
}

// NewGrants returns the grants in a file, which does not have to exist yet. now returns the time
// for a new grant.
func NewGrants(path string, now func() time.Time) *Grants {
	return &Grants{file: state.File{Path: path}, now: now}
}

// Has implements [goated/agent.Grants].
func (g *Grants) Has(e registry.Entry) bool {
	now := grantOf(e, time.Time{})
	return !e.EachCall() && slices.ContainsFunc(g.List(), func(have Grant) bool { return have.allows(now) })
}

// Add implements [goated/agent.Grants]. It replaces a grant that a change of the tool suspended. If it
// cannot save the grant, the grant lasts as long as the process. It ignores a tool that needs approval
// for each call; see [registry.Entry.EachCall].
func (g *Grants) Add(e registry.Entry) error { return g.add([]registry.Entry{e}, false) }

// AddReads implements [goated/agent.Grants]. Each grant is bound to the definition of its tool, so
// a tool that changes, or no longer declares itself read-only, is suspended alone.
func (g *Grants) AddReads(entries []registry.Entry) error { return g.add(entries, true) }

func (g *Grants) add(entries []registry.Entry, reads bool) error {
	at := g.now().UTC().Truncate(time.Second)
	return g.change(func(l *grantList) {
		for _, e := range entries {
			if e.EachCall() || reads && !e.OnlyReads() {
				continue
			}
			now := grantOf(e, at)
			now.Reads = reads || slices.ContainsFunc(l.Grants, func(have Grant) bool {
				return have.Reads && have.Start == now.Start && have.sameTool(now) && e.OnlyReads()
			})
			l.Grants = slices.DeleteFunc(l.Grants, func(have Grant) bool { return have.sameTool(now) })
			l.Grants = append(l.Grants, now)
		}
		slices.SortStableFunc(l.Grants, func(a, b Grant) int {
			if c := strings.Compare(a.Server, b.Server); c != 0 {
				return c
			}
			return strings.Compare(a.Tool.Name, b.Tool.Name)
		})
	})
}

// Revoke removes the grants whose [Grant.ID] or [Grant.Group] is in ids, and returns how many it
// removed. Later calls of their tools need approval again. If it cannot save the change, the change
// lasts as long as the process.
func (g *Grants) Revoke(ids ...string) (n int, err error) {
	err = g.change(func(l *grantList) {
		before := len(l.Grants)
		l.Grants = slices.DeleteFunc(l.Grants, func(have Grant) bool {
			return slices.Contains(ids, have.ID()) || have.Reads && slices.Contains(ids, have.Group())
		})
		n = before - len(l.Grants)
	})
	return n, err
}

// List returns the grants, sorted by server and tool. Do not change them.
func (g *Grants) List() []Grant {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.reloadIfChanged()
	return slices.Clone(g.list.Grants)
}

// Damage returns an error, once, if the file was damaged, so that all grants are lost.
func (g *Grants) Damage() error {
	g.List()
	g.mu.Lock()
	defer g.mu.Unlock()
	err := g.lost
	g.lost = nil
	return err
}

// DifferenceFor returns how a tool differs from the version that the user always allowed. It returns
// nil if the tool was not allowed or has not changed.
func (g *Grants) DifferenceFor(e registry.Entry) *Difference {
	now := grantOf(e, time.Time{})
	var was *Grant
	for _, have := range g.List() {
		switch {
		case have.allows(now):
			return nil
		case have.sameTool(now) && (was == nil || have.Start == now.Start):
			was = &have
		}
	}
	if was == nil {
		return nil
	}
	return difference(*was, now)
}

// change changes the list in the file. If saving fails, the change lasts as long as the process,
// and the next change saves it, too.
func (g *Grants) change(change func(*grantList)) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	changed := false
	err := g.file.Exclusive(func() error {
		g.read()
		change(&g.list)
		changed = true
		return g.file.Save(&g.list)
	})
	if err != nil {
		if !changed {
			g.reloadIfChanged()
			change(&g.list)
		}
		g.unsaved = append(g.unsaved, change)
		return err
	}
	g.unsaved = nil
	g.loaded, _ = os.Stat(g.file.Path)
	return nil
}

// reloadIfChanged reads the file again if it has changed. The caller holds mu.
func (g *Grants) reloadIfChanged() {
	info, err := os.Stat(g.file.Path)
	if err != nil {
		info = nil
	}
	if !state.Same(info, g.loaded) {
		g.read()
	}
}

// read reads the file and reapplies the changes that are not in it. The caller holds mu. A damaged
// file grants nothing, because its backup may contain grants that the user revoked.
func (g *Grants) read() {
	var fresh grantList
	warning, err := g.file.Load(&fresh)
	switch {
	case err != nil:
		g.lost, fresh = err, grantList{}
	case warning != nil:
		g.lost, fresh = warning, grantList{}
		_ = g.file.Save(&fresh) // otherwise the next start reports the damage again
	}
	for _, change := range g.unsaved {
		change(&fresh)
	}
	g.list = fresh
	g.loaded, _ = os.Stat(g.file.Path)
}
