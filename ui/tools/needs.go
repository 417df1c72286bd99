package tools

import (
	"strconv"

	"goated/client"
	"goated/internal/consent"
	"goated/registry"
	"goated/ui/kit"
	"goated/ui/view/format"
)

// mark says on the button of the sidebar how many servers need the user, or else how many run.
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

// changed counts the tools of a server that runs which changed since the user allowed them.
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

// suspended returns how a tool changed since the user always allowed it; nil if it did not.
func (p *Page) suspended(e registry.Entry) *consent.Difference {
	if p.Policy == nil || p.Policy.Grants == nil || fixed(e) || e.Origin.Start == "" { // one that does not run has no origin
		return nil
	}
	return p.Policy.Grants.Suspended(e)
}
