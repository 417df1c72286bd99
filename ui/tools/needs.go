package tools

import (
	"strconv"

	"goated/client"
	"goated/internal/consent"
	"goated/registry"
	"goated/ui/kit"
	"goated/ui/view/format"
)

// mark shows on the sidebar button how many servers need the user. If none does, it shows how
// many are running.
func (p *Page) mark() {
	needs := 0
	for _, s := range p.seen.Servers {
		if s.Status != client.Disconnected && stateOf(row{server: s}, p.changed(s)).needs {
			needs++
		}
	}
	badge := ""
	switch n := p.seen.Connected(); {
	case needs > 0:
		badge = format.Plural(needs, "%d needs you", "%d need you")
	case n > 0:
		badge = strconv.Itoa(n)
	}
	p.Nav.SetBadge(badge)
	kit.SetAlarm(p.Nav, needs > 0)
}

// changed counts the tools of a running server that changed since the user allowed them.
func (p *Page) changed(s client.Server) (n int) {
	if s.Status != client.Connected {
		return 0
	}
	for _, e := range s.Tools {
		if e.Tool != nil && p.suspended(e) != nil {
			n++
		}
	}
	return n
}

// suspended returns how a tool changed since the user always allowed it, or nil if it did not
// change.
func (p *Page) suspended(e registry.Entry) *consent.Difference {
	if p.Policy == nil || p.Policy.Grants == nil || fixed(e) || e.Origin.Start == "" { // tools of a stopped server have no origin
		return nil
	}
	return p.Policy.Grants.DifferenceFor(e)
}
