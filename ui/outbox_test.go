package ui

import (
	"testing"

	"goated/ui/view"
)

// A turn whose end is seen is known by its id, so that what is said next follows
// it, and does not begin the conversation anew. A later turn titles nothing.
func TestTurnThatEndedIsKnown(t *testing.T) {
	c := &conversation{cancel: func() {}}
	for _, turn := range []struct{ id, title string }{{"first", "one"}, {"second", ""}} {
		c.cancel = func() {}
		c.latest.keep(turn.id, turn.title)
		c.latest.put(view.Chat{}, true)
		if c.collect(); c.running() || c.saved.active != turn.id || c.saved.title != "one" {
			t.Errorf("running %t, after %q, titled %q", c.running(), c.saved.active, c.saved.title)
		}
	}
}
