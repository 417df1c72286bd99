package agent

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"goated/registry"
)

// A Decision answers whether a tool call may run. The zero value is Deny.
type Decision int

// The decisions that a person can take.
const (
	Deny Decision = iota
	AllowOnce
	AllowAlways // this call, and every later one of the same tool
)

var decisionNames = [...]string{Deny: "deny", AllowOnce: "allow_once", AllowAlways: "allow_always"}

func (d Decision) String() string {
	if d < 0 || int(d) >= len(decisionNames) {
		return fmt.Sprintf("Decision(%d)", int(d))
	}
	return decisionNames[d]
}

// MarshalText writes the decision's name.
func (d Decision) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the decision's name.
func (d *Decision) UnmarshalText(text []byte) error {
	for i, name := range decisionNames {
		if name == string(text) {
			*d = Decision(i)
			return nil
		}
	}
	return fmt.Errorf("unknown decision %q", text)
}

// A Policy says which calls run without asking. The zero value lets only the
// bundled servers' read-only tools run. It is safe for concurrent use, and is
// shared by all sessions of a run.
type Policy struct {
	// AllowAll lets every call run unasked: the terminal's --yes. Set it before
	// the first use.
	AllowAll bool

	mu      sync.Mutex
	granted map[string]bool // qualified tool names
}

// Allows reports whether a call of the tool may run unasked. What a server says
// of its own tools is believed of goated's own servers alone: "clients MUST
// consider tool annotations to be untrusted unless they come from trusted
// servers" (MCP, Tools).
func (p *Policy) Allows(e registry.Entry) bool {
	if p.AllowAll {
		return true
	}
	if e.Bundled && e.Tool.Annotations != nil && e.Tool.Annotations.ReadOnlyHint {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.granted[e.Name]
}

// Grant lets every later call of the tool run.
func (p *Policy) Grant(e registry.Entry) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.granted == nil {
		p.granted = make(map[string]bool)
	}
	p.granted[e.Name] = true
}

// Grants lists the qualified names of the tools that may always run, sorted.
func (p *Policy) Grants() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Sorted(maps.Keys(p.granted))
}

// Revoke takes a grant back: the next call of the tool is asked for again.
func (p *Policy) Revoke(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.granted, name)
}
