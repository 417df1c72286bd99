package desktop

import (
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

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

// The elements that are there when a watch begins did not change. Changes before the end of the
// application, or of the connection, are kept.
func TestWatchAccessibilityReportsChangesOnly(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{AllTools: true, Getenv: f.environ}, nil)
	there := &pb.WatchAccessibilityResponse{Added: []*pb.Element{{Role: "button", Text: proto.String("Old")}}}
	added := &pb.WatchAccessibilityResponse{Added: []*pb.Element{{Role: "button", Text: proto.String("New")}}}
	for name, test := range map[string]struct {
		sends  []proto.Message
		end    codes.Code
		want   string
		failed bool
	}{
		"no change":             {[]proto.Message{there}, codes.DeadlineExceeded, "Nothing changed.", false},
		"a change":              {[]proto.Message{there, added}, codes.DeadlineExceeded, `"New"`, false},
		"the end":               {[]proto.Message{there, added}, codes.NotFound, "The application has ended.", false},
		"the end at once":       {[]proto.Message{there}, codes.NotFound, "The application has ended.", false},
		"no such application":   {nil, codes.NotFound, "NOT_FOUND", true},
		"a lost connection":     {[]proto.Message{there, added}, codes.Unavailable, "The watch ended early: ", false},
		"lost without a change": {[]proto.Message{there}, codes.Unavailable, "UNAVAILABLE", true},
		"not read in time":      {nil, codes.DeadlineExceeded, "The application was not read within 1 second", true},
	} {
		f.mu.Lock()
		f.streams["WatchAccessibility"] = func(_ proto.Message, send func(proto.Message)) error {
			for _, m := range test.sends {
				send(m)
			}
			return status.Error(test.end, "the end")
		}
		f.mu.Unlock()
		text, data, failed := do(t, s, "watch_accessibility", `{"name":"applications/1","timeout":1}`)
		changed := len(test.sends) > 1
		if failed != test.failed || !strings.Contains(text, test.want) || strings.Contains(text, "Old") || strings.Contains(text, "New") != changed || (data["added"] != nil) != changed {
			t.Errorf("%s: failed=%t %q %v", name, failed, text, data)
		}
	}
}
