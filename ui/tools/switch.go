package tools

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/wording"
)

// switchServer turns a server on or off, now and for later starts.
func (p *Page) switchServer(r row, on bool) {
	switch {
	case r.bundled.Name != "":
		p.Change(p.Settings.WithBundled(r.bundled, on))
		p.On.Bundled(r.bundled, on)
	case on:
		p.Change(p.Settings.WithStart(r.launch, true))
		p.On.Run(r.launch)
	default:
		if r.launch.Subject() != "" && !p.shares(r) {
			p.Change(p.Settings.WithStart(r.launch, false)) // saved, so that the user can turn it on again
		}
		if r.server.ID != "" {
			p.On.Stop(r.server)
		}
	}
	p.refresh()
}

// shares reports whether another server of the list has the same saved entry. Turning one of
// them off, or removing it, only disconnects it, because the saved entry belongs to the other.
func (p *Page) shares(r row) bool {
	for _, s := range p.seen.Servers {
		if r.server.ID == "" || s.ID == r.server.ID || s.Bundled || s.Status == client.Disconnected {
			continue
		}
		l := consent.LaunchOfServer(s)
		if i := slices.IndexFunc(p.Settings.Launch, l.Same); i >= 0 && p.Settings.Launch[i].Same(r.launch) {
			return true
		}
	}
	return false
}

// remove disconnects a server and deletes how it starts, until the user undoes that.
func (p *Page) remove(r row) {
	if p.shares(r) {
		p.On.Stop(r.server)
		p.refresh()
		return
	}
	saved := slices.IndexFunc(p.Settings.Launch, r.launch.Same)
	was := p.Settings.Launch
	p.Change(p.Settings.WithoutStart(r.launch))
	if saved < 0 {
		if r.server.ID != "" {
			p.On.Stop(r.server)
		}
		p.refresh()
		return
	}
	p.refresh()
	p.On.Removed(r.server, r.name, func() {
		l := was[saved]
		p.Change(p.Settings.WithStart(l, !l.Off))
		if !l.Off {
			p.On.Run(l)
		}
		p.refresh()
	})
}

// switchTool turns a tool on or off, now and for later starts.
func (p *Page) switchTool(r row, t tool, on bool) {
	p.Change(p.Settings.WithTool(r.launch, t.entry.Tool.Name, on))
	p.Settle()
}

// setAsking sets whether a tool asks before each call or never. It turns on a tool that is off.
func (p *Page) setAsking(r row, t tool, asks bool) {
	if !t.on {
		p.switchTool(r, t, true)
	}
	if p.Policy == nil || t.fixed || asks == t.asks && t.was == nil {
		return
	}
	entry, policy := t.entry, p.Policy
	p.Go(func() {
		var err error
		switch {
		case asks && t.was != nil:
			_, err = policy.Grants.Revoke(t.was.ID())
		case asks:
			err = revoke(policy.Grants, entry.Tool.Name, entry.Origin.Start)
		default:
			err = wording.UnsavedPermission(policy.Grant(entry))
		}
		p.Post(func() {
			if err != nil {
				p.Alert(err)
			}
			p.Regranted()
		})
	})
}

// Regranted updates the page after a change of the grants.
func (p *Page) Regranted() {
	p.mark()
	p.refresh()
}

// revoke removes the grants of a tool.
func revoke(g *consent.Grants, tool, start string) error {
	var ids []string
	for _, have := range g.List() {
		if have.Tool.Name == tool && have.Start == start {
			ids = append(ids, have.ID())
		}
	}
	_, err := g.Revoke(ids...)
	return err
}

// A memory holds the last known tools of stopped servers, by memoryKey.
type memory map[string]remembered

// remembered is what goated knows about a server from its last start.
type remembered struct {
	name  string
	tools []*mcp.Tool
	used  time.Time
	lacks bool // the user has to enter a value
}

// memoryKey returns a key for a saved server or for one of goated's own.
func memoryKey(l config.Launch) string {
	return fmt.Sprintf("%q %q %q %q", l.Name, l.Subject(), l.Args, l.Dir)
}

// recall reads what is known about the stopped servers, off the UI goroutine.
func (p *Page) recall() {
	var list []config.Launch
	runs := func(l config.Launch) bool {
		return slices.ContainsFunc(p.seen.Servers, func(s client.Server) bool {
			return s.Status != client.Disconnected && (s.Bundled && l.Subject() == "" && s.Name == l.Name || !s.Bundled && l.Subject() != "" && l.Same(consent.LaunchOfServer(s)))
		})
	}
	add := func(l config.Launch) {
		_, known := p.memory[memoryKey(l)]
		switch {
		case runs(l):
			delete(p.memory, memoryKey(l)) // a running server may change its list
		case !known:
			p.memory[memoryKey(l)] = remembered{name: l.Name}
			list = append(list, l)
		}
	}
	for _, l := range p.Settings.Launch {
		add(l)
	}
	for _, b := range p.Bundled {
		add(config.Launch{Name: b.Name})
	}
	if len(list) == 0 || p.Host == nil {
		return
	}
	p.Go(func() {
		found := make(memory)
		for _, l := range list {
			m := remembered{name: l.Name}
			if l.Subject() == "" {
				m.tools, m.used = client.CachedTools(p.Host, client.Config{Bundled: true, Name: l.Name})
			} else {
				m.name = l.DisplayName()
				m.tools, m.used = client.CachedTools(p.Host, consent.ConfigOf(l))
				m.lacks = p.On.Lacks(l)
			}
			found[memoryKey(l)] = m
		}
		p.Post(func() {
			maps.Copy(p.memory, found)
			if p.drawn != nil {
				p.drawn.all = p.rows()
				p.filtered()
			}
		})
	})
}

// called returns the name of a saved server that is not running.
func (p *Page) called(l config.Launch) string {
	return cmp.Or(l.Name, p.memory[memoryKey(l)].name, l.Subject())
}
