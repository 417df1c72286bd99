package desktop

import (
	"testing"

	"goated/servers/desktop/link"
	pb "goated/servers/desktop/macosusesdk"
)

// Only events that the reader has not got are lost. Each event beyond a thousand counted as
// lost, also for a reader that had got all of them.
func TestOnlyUnreadEventsAreLost(t *testing.T) {
	w := &watcher{news: make(chan struct{})}
	c := &call{gaps: new(link.Gaps)}
	read := int64(0)
	for n := range int64(maxEvents + 5) {
		w.add(&pb.ObservationEvent{Sequence: n + 1})
		events, _, _, _ := w.after(read)
		if lost := c.eventsAnswer(events, read, false).data["lost"]; len(events) != 1 || lost != nil {
			t.Fatalf("after %d: %d events, %v are lost", read, len(events), lost)
		}
		read = n + 1
	}
	events, _, _, _ := w.after(0)
	if lost := c.eventsAnswer(events, 0, false).data["lost"]; lost != int64(5) {
		t.Errorf("a reader of nothing lost %v events, want 5", lost)
	}
}
