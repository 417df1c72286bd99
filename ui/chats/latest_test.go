package chats

import (
	"testing"

	"goated/ui/view"
)

// A turn whose end is seen is known by its id, so that what is said next follows
// it, and does not restart the conversation. A later turn titles nothing.
func TestTurnThatEndedIsKnown(t *testing.T) {
	c := &Conversation{Cancel: func() {}}
	for _, turn := range []struct{ id, title string }{{"first", "one"}, {"second", ""}} {
		c.Cancel = func() {}
		c.latest.keep(turn.id, turn.title)
		c.latest.put(view.Chat{}, true)
		if c.collect(); c.Running() || c.Saved.Active != turn.id || c.Saved.Title != "one" {
			t.Errorf("running %t, after %q, titled %q", c.Running(), c.Saved.Active, c.Saved.Title)
		}
	}
}
