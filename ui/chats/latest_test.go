package chats

import (
	"testing"

	"goated/ui/view"
)

// When a turn has ended, its id is known. So the next message follows it and does not restart the
// conversation. A later turn sets no title.
func TestTurnThatEndedIsKnown(t *testing.T) {
	c := &Conversation{Cancel: func() {}}
	for _, turn := range []struct{ id, title string }{{"first", "one"}, {"second", ""}} {
		c.Cancel = func() {}
		c.latest.setTurn(turn.id, turn.title)
		c.latest.put(view.Chat{}, true)
		if c.collect(); c.Running() || c.Saved.Active != turn.id || c.Saved.Title != "one" {
			t.Errorf("running %t, after %q, titled %q", c.Running(), c.Saved.Active, c.Saved.Title)
		}
	}
}
