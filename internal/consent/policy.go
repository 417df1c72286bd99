package consent

import (
	"time"

	"goated/agent"
)

// A Policy is an [agent.Policy] with the grants of a data folder. Create it with [NewPolicy].
type Policy struct {
	agent.Policy
	Grants *Grants // the same as Policy.Kept
}

// NewPolicy returns a policy with the grants in a file, which does not have to exist yet. now
// returns the time for a new grant.
func NewPolicy(path string, now func() time.Time) *Policy {
	g := NewGrants(path, now)
	return &Policy{Policy: agent.Policy{Kept: g}, Grants: g}
}
