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

// guardTime is how long a new card takes no key and no press, so that a key meant
// for the composer answers nothing.
const guardTime = 500 * time.Millisecond

// maxWords is how long a question is in the list of those that wait, in characters.
const maxWords = 90

// Appear notes that the user sees the card from now on.
func (g *guard) Appear() { g.since = g.sh.Now() }

// open reports whether an answer counts now.
func (g *guard) open() bool { return !g.done && g.sh.Now().Sub(g.since) >= guardTime }
