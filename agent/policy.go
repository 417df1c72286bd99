package agent

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"goated/registry"
)

// A Decision says whether a tool call may run. The zero value is Deny.
type Decision int

// The decisions of the user.
const (
	Deny Decision = iota
	AllowOnce
	AllowAlways // this call and every later call of the same tool
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

// A Policy says which calls need no approval. The zero value allows only the
// read-only tools of bundled servers. A Policy is safe for concurrent use; all
// sessions of a process share one.
type Policy struct {
	// AllowAll allows every call, as --yes does in the terminal. Set it before the
	// first use.
	AllowAll bool

	mu      sync.Mutex
	granted map[string]bool // qualified tool names
}

// Allows reports whether a call of the tool needs no approval. It believes the
// annotations of bundled servers only: "clients MUST consider tool annotations to be
// untrusted unless they come from trusted servers" (MCP, Tools).
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

// Grant allows every later call of the tool.
func (p *Policy) Grant(e registry.Entry) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.granted == nil {
		p.granted = make(map[string]bool)
	}
	p.granted[e.Name] = true
}

// Grants returns the qualified names of the tools that were granted, sorted.
func (p *Policy) Grants() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Sorted(maps.Keys(p.granted))
}

// Revoke removes a grant: the next call of the tool needs an approval again.
func (p *Policy) Revoke(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.granted, name)
}
