package journal

import (
	"context"
	"fmt"
)

// Replay performs the successful actions of a journal again, in order. It stops at the first action
// that fails, cannot be replayed, or has a different result. do performs one action and returns how
// its target looks afterwards, as in [Entry.After]. Replay returns the number of performed actions.
func Replay(ctx context.Context, entries []Entry, do func(ctx context.Context, e Entry) (after string, err error)) (n int, err error) {
	for _, e := range entries {
		switch {
		case ctx.Err() != nil:
			return n, ctx.Err()
		case e.Error != "":
			continue // it had no effect in the record
		case e.Redacted:
			return n, fmt.Errorf("action %d (%s) can't be replayed: parts of it were left out of the journal", e.Seq, e.Method)
		}
		after, err := do(ctx, e)
		if err != nil {
			return n, fmt.Errorf("replaying action %d (%s): %w", e.Seq, e.Method, err)
		}
		n++
		if e.After != "" && redactText(after) != e.After {
			return n, fmt.Errorf("action %d (%s) ended differently: %q then, %q now", e.Seq, e.Method, e.After, redactText(after))
		}
	}
	return n, nil
}
