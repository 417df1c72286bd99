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

// Only events that the reader has not received are lost. Each event beyond the first thousand was
// counted as lost, even for a reader that had received them all.
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

// The elements that exist when a watch begins are not reported as changes. Changes before the
// application or the connection ends are kept.
func TestWatchAccessibilityReportsChangesOnly(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{AllTools: true, Getenv: f.environ}, nil)
	there := &pb.WatchAccessibilityResponse{Added: []*pb.Element{{Role: "button", Text: proto.String("Old")}}}
	added := &pb.WatchAccessibilityResponse{Added: []*pb.Element{{Role: "button", Text: proto.String("New")}}}
	for name, test := range map[string]struct {
		sends  []proto.Message
		end    error
		want   string
		failed bool
	}{
		"no change":             {[]proto.Message{there}, errStays, "Nothing changed.", false},
		"a change":              {[]proto.Message{there, added}, errStays, `"New"`, false},
		"the end":               {[]proto.Message{there, added}, status.Error(codes.NotFound, "the end"), "The application has ended.", false},
		"the end at once":       {[]proto.Message{there}, status.Error(codes.NotFound, "the end"), "The application has ended.", false},
		"no such application":   {nil, status.Error(codes.NotFound, "the end"), "NOT_FOUND", true},
		"a lost connection":     {[]proto.Message{there, added}, status.Error(codes.Unavailable, "the end"), "The watch ended early: ", false},
		"lost without a change": {[]proto.Message{there}, status.Error(codes.Unavailable, "the end"), "UNAVAILABLE", true},
		"not read in time":      {nil, errStays, "The application was not read within 1 second", true},
	} {
		f.mu.Lock()
		f.streams["WatchAccessibility"] = func(_ proto.Message, send func(proto.Message)) error {
			for _, m := range test.sends {
				send(m)
			}
			return test.end
		}
		f.mu.Unlock()
		text, data, failed := do(t, s, "watch_accessibility", `{"name":"applications/1","timeout":1}`)
		changed := len(test.sends) > 1
		if failed != test.failed || !strings.Contains(text, test.want) || strings.Contains(text, "Old") || strings.Contains(text, "New") != changed || (data["added"] != nil) != changed {
			t.Errorf("%s: failed=%t %q %v", name, failed, text, data)
		}
	}
}

// If the service ends a watch, its time is not over. An application that hung was reported as "not
// read within 60 seconds" after a moment, and a cancelled watch reported that nothing had changed.
func TestAWatchThatTheServiceEndsSaysSo(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{AllTools: true, Getenv: f.environ}, nil)
	there, added := new(pb.WatchAccessibilityResponse), &pb.WatchAccessibilityResponse{Added: []*pb.Element{{Text: proto.String("New")}}}
	hangs := status.Error(codes.DeadlineExceeded, "Mail does not answer: it hangs; wait for it, or close it")
	const silent = "Mail does not answer: it hangs (DEADLINE_EXCEEDED). Wait for it, or close it."
	for name, test := range map[string]struct {
		sends  []proto.Message
		end    error
		want   string
		failed bool
	}{
		"hung":                   {nil, hangs, silent, true},
		"hung later":             {[]proto.Message{there}, hangs, silent, true},
		"hung after a change":    {[]proto.Message{there, added}, hangs, "The watch ended early: " + silent, false},
		"cancelled":              {nil, status.Error(codes.Canceled, ""), "WatchAccessibility was cancelled (CANCELLED)", true},
		"cancelled later":        {[]proto.Message{there}, status.Error(codes.Canceled, ""), "WatchAccessibility was cancelled (CANCELLED)", true},
		"cancelled after change": {[]proto.Message{there, added}, status.Error(codes.Canceled, ""), "The watch ended early: ", false},
	} {
		f.mu.Lock()
		f.streams["WatchAccessibility"] = func(_ proto.Message, send func(proto.Message)) error {
			for _, m := range test.sends {
				send(m)
			}
			return test.end
		}
		f.mu.Unlock()
		text, _, failed := do(t, s, "watch_accessibility", `{"name":"applications/1","timeout":60}`)
		if failed != test.failed || !strings.Contains(text, test.want) || strings.Contains(text, "New") != (len(test.sends) > 1) {
			t.Errorf("%s: failed=%t %q", name, failed, text)
		}
	}
}
