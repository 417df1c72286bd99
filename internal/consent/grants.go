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

// A Grant allows one tool permanently: with one definition, of one program with its
// instructions. The zero
// value allows nothing.
type Grant struct {
	Server  string `json:"server"` // the id of the server at the time
	Start   string `json:"start"`  // how the server starts; see registry.Origin
	Code    string `json:"code,omitempty"`
	Files   string `json:"files,omitempty"` // of the code, for the difference
	Version string `json:"version,omitempty"`
	// Instructions are what the server told the model at the time.
	Instructions string              `json:"instructions,omitempty"`
	Tool         registry.Definition `json:"tool"`
	At           time.Time           `json:"at"`
	// Reads reports that the tool was allowed together with the other read-only tools of
	// its server.
	Reads bool `json:"reads,omitempty"`
}

// ID returns a short name of the grant for commands. It stays the same when the grant is
// renewed for a changed tool.
func (g Grant) ID() string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q %q %q", g.Server, g.Start, g.Tool.Name)))[:8]
}

// Group returns a short name of the grants of a server's read-only tools that the user
// allowed together; empty for any other grant.
func (g Grant) Group() string {
	if !g.Reads {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "reads %q %q", g.Server, g.Start)))[:8]
}

// grantOf returns the grant of an entry.
func grantOf(e registry.Entry, at time.Time) Grant {
	return Grant{Server: e.Server, Start: e.Origin.Start, Code: e.Origin.Code, Files: e.Origin.Files, Version: e.Origin.Version, Instructions: e.Origin.Instructions, Tool: registry.DefinitionOf(e.Tool), At: at}
}

// covers reports whether g allows what now is: nothing differs but the time.
func (g Grant) covers(now Grant) bool {
	return g.Start == now.Start && g.Code == now.Code && g.Version == now.Version && g.Instructions == now.Instructions && g.Tool.Digest() == now.Tool.Digest()
}

// about reports whether g is about the tool that now is, perhaps before a change:
// of the same program, or of another one under the same id.
func (g Grant) about(now Grant) bool {
	return g.Tool.Name == now.Tool.Name && (g.Start == now.Start || g.Server == now.Server)
}

// Grants are the tools that the user always allows, in a file. Several processes
// may use the file at the same time: each sees a change of another at its next look.
// The methods are safe for concurrent use.
type Grants struct {
	file state.File
	now  func() time.Time

	mu      sync.Mutex
	list    grantList
	unsaved []func(*grantList) // the changes in list that the file lacks, in their order
	loaded  os.FileInfo        // of the file when it was read; nil: there was none
	lost    error              // why the list was emptied, until Damage returns it
}

// A grantList is the content of the file.
type grantList struct {
	Grants []Grant `json:"grants,omitempty"`
}

// NewGrants returns the grants of a file, which need not exist yet. now is the time of a new grant.
func NewGrants(path string, now func() time.Time) *Grants {
	return &Grants{file: state.File{Path: path}, now: now}
}

// Has implements [goated/agent.Grants].
func (g *Grants) Has(e registry.Entry) bool {
	now := grantOf(e, time.Time{})
	return !e.EachCall() && slices.ContainsFunc(g.List(), func(have Grant) bool { return have.covers(now) })
}

// Add implements [goated/agent.Grants]. It replaces the grant that a change of the
// tool suspended. If it cannot be saved, it lasts as long as the process. A tool that needs an approval
// of each call gets none; see [registry.Entry.EachCall].
func (g *Grants) Add(e registry.Entry) error { return g.add([]registry.Entry{e}, false) }

// AddReads implements [goated/agent.Grants]. Each tool is bound to its own definition: one
// that changes, or no longer says that it only reads, is suspended by itself.
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
				return have.Reads && have.Start == now.Start && have.about(now) && e.OnlyReads()
			})
			l.Grants = slices.DeleteFunc(l.Grants, func(have Grant) bool { return have.about(now) })
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
// removed. Their next call needs an approval again. If that cannot be saved, it lasts as long as
// the process.
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

// List returns the grants by server and tool. Do not change them.
func (g *Grants) List() []Grant {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.look()
	return slices.Clone(g.list.Grants)
}

// Damage returns, once, that the file was damaged, so that every grant is lost.
func (g *Grants) Damage() error {
	g.List()
	g.mu.Lock()
	defer g.mu.Unlock()
	err := g.lost
	g.lost = nil
	return err
}

// Suspended returns how a tool that was always allowed differs from then; nil if
// it was not allowed, or did not change.
func (g *Grants) Suspended(e registry.Entry) *Difference {
	now := grantOf(e, time.Time{})
	var was *Grant
	for _, have := range g.List() {
		switch {
		case have.covers(now):
			return nil
		case have.about(now) && (was == nil || have.Start == now.Start):
			was = &have
		}
	}
	if was == nil {
		return nil
	}
	return difference(*was, now)
}

// change changes the list in the file. On an error the change lasts as long as the
// process, and the next change saves it, too.
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
			g.look()
			change(&g.list)
		}
		g.unsaved = append(g.unsaved, change)
		return err
	}
	g.unsaved = nil
	g.loaded, _ = os.Stat(g.file.Path)
	return nil
}

// look reads the file if it changed; the caller holds mu.
func (g *Grants) look() {
	info, err := os.Stat(g.file.Path)
	if err != nil {
		info = nil
	}
	if !state.Same(info, g.loaded) {
		g.read()
	}
}

// read reads the file and repeats the changes that it lacks; the caller holds mu. A damaged
// file grants nothing: its backup may hold what the user removed.
func (g *Grants) read() {
	var fresh grantList
	warning, err := g.file.Load(&fresh)
	switch {
	case err != nil:
		g.lost, fresh = err, grantList{}
	case warning != nil:
		g.lost, fresh = warning, grantList{}
		_ = g.file.Save(&fresh) // else the next start asks again, too
	}
	for _, change := range g.unsaved {
		change(&fresh)
	}
	g.list = fresh
	g.loaded, _ = os.Stat(g.file.Path)
}
