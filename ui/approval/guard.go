package approval

import (
	"time"

	"goated/ui/shell"
)

// A guard prevents a question from being answered twice, or before the user can have read it.
type guard struct {
	sh    *shell.Shell
	since time.Time // when the card appeared
	done  bool      // the question has been answered
}

// Appear records that the card is visible to the user from now on.
func (g *guard) Appear() { g.since = g.sh.Now() }

// open reports whether an answer is accepted now.
func (g *guard) open() bool { return !g.done && g.sh.Now().Sub(g.since) >= shell.GuardTime }
