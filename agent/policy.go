package agent

import (
	"fmt"
	"sync"

	"goated/registry"
)

// A Decision is whether a tool call may run. The zero value is Deny.
type Decision int

// The decisions of the user.
const (
	Deny Decision = iota
	AllowOnce
	AllowAlways // this call and every later call of the same tool
	AllowChat   // this call and every later call of the same tool in the conversation
	AllowReads  // this call and every later call of the tools that the question lists in Pending.Reads
)

var decisionNames = [...]string{Deny: "deny", AllowOnce: "allow_once", AllowAlways: "allow_always", AllowChat: "allow_chat", AllowReads: "allow_reads"}

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

// Grants stores which tools the user always allows. It is safe for concurrent use.
// [goated/internal/consent.Grants] stores them in a data folder.
type Grants interface {
	// Has reports whether the user allowed exactly this tool. It returns false if the tool or its
	// server has changed since then.
	Has(e registry.Entry) bool
	// Add allows the tool until it or its server changes.
	Add(e registry.Entry) error
	// AddReads allows several read-only tools of one server, each until it changes.
	AddReads(all []registry.Entry) error
}

// A Policy decides which calls need no approval. The zero value allows only the read-only tools of
// bundled servers. A Policy is safe for concurrent use. All sessions of a process share one.
type Policy struct {
	// AllowAll allows every call, as --yes does in the terminal. It does not affect tools that need
	// approval for each call; see [registry.Entry.EachCall]. Set it before the first use.
	AllowAll bool
	// Kept stores the grants. If it is nil, grants last as long as the policy. Set it before the
	// first use.
	Kept Grants
	// Chains reports whether a result of the tool may ask the model to answer a prompt, and goated
	// to call another tool with the answer (seed 001). If it is nil, no result may. Set it before
	// the first use.
	Chains func(registry.Entry) bool
	// Unsaved gets the error if Kept could not save a grant of the user, which then ends with the
	// process. It may be nil. Set it before the first use. It must not wait for the user.
	Unsaved func(error)

	mu      sync.Mutex
	granted map[string]bool // digests of entries, if Kept is nil
}

// Allows reports whether a call of the tool with args needs no approval, because the user
// allowed the tool before or because the call only reads; see [registry.Entry.Reads].
func (p *Policy) Allows(e registry.Entry, args map[string]any) bool {
	switch {
	case e.EachCall():
		return false
	case p.AllowAll:
		return true
	}
	if e.Reads(args) {
		return true
	}
	if p.Kept != nil {
		return p.Kept.Has(e)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.granted[e.Digest()]
}

// Grant allows every later call of the tool, until its definition or its server changes. If Grant
// returns an error, the grant was not saved and ends with the process. Grant ignores a tool that
// needs approval for each call; see [registry.Entry.EachCall].
func (p *Policy) Grant(e registry.Entry) error {
	if e.EachCall() {
		return nil
	}
	if p.Kept != nil {
		return p.Kept.Add(e)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.granted == nil {
		p.granted = make(map[string]bool)
	}
	p.granted[e.Digest()] = true
	return nil
}

// GrantReads allows every later call of read-only tools of one server, like
// [Policy.Grant].
func (p *Policy) GrantReads(all []registry.Entry) error {
	if p.Kept != nil {
		return p.Kept.AddReads(all)
	}
	for _, e := range all {
		if err := p.Grant(e); err != nil {
			return err
		}
	}
	return nil
}
