package approval

import (
	"time"

	"goated/ui/shell"
)

// A guard keeps a question from being answered twice, or before the user can have read
// it.
type guard struct {
	sh    *shell.Shell
	since time.Time // when the card appeared
	done  bool      // it is answered
}

// Appear notes that the user sees the card from now on.
func (g *guard) Appear() { g.since = g.sh.Now() }

// open reports whether an answer counts now.
func (g *guard) open() bool { return !g.done && g.sh.Now().Sub(g.since) >= shell.GuardTime }
