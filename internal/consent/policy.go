package consent

import (
	"time"

	"goated/agent"
)

// A Policy says which calls need no approval, with the grants of a data folder. Make
// one with [NewPolicy].
type Policy struct {
	agent.Policy
	Grants *Grants // its Kept
}

// NewPolicy returns the policy with the grants of a file, which need not exist yet.
// now is the time of a new grant.
func NewPolicy(path string, now func() time.Time) *Policy {
	g := NewGrants(path, now)
	return &Policy{Policy: agent.Policy{Kept: g}, Grants: g}
}
