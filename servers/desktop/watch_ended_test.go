package desktop

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"goated/internal/waittest"
	"goated/servers/desktop/link"
	pb "goated/servers/desktop/macosusesdk"
)

// The events of the observations that ended last can be read. Earlier ones are dropped, so that a
// long session does not keep a thousand events of each observation.
func TestEndedObservationsAreForgotten(t *testing.T) {
	f := newFake(t)
	f.mu.Lock()
	f.streams["StreamObservations"] = func(_ proto.Message, send func(proto.Message)) error {
		send(&pb.StreamObservationsResponse{Event: &pb.ObservationEvent{Sequence: 1}})
		return nil
	}
	f.mu.Unlock()
	l, err := link.Dial(link.Config{Socket: f.socket, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	w := &watchers{all: make(map[string]*watcher)}
	defer w.stop()
	names := func() int {
		w.mu.Lock()
		defer w.mu.Unlock()
		return len(w.all)
	}
	for n := range maxEnded + 10 {
		w.watch(l, fmt.Sprint("observations/", n), nil)
		waittest.Until(t, "the end of an observation", func() bool {
			w.mu.Lock()
			defer w.mu.Unlock()
			return len(w.ended) == min(n+1, maxEnded)
		})
	}
	waittest.Until(t, "50 observations that ended", func() bool { return names() == maxEnded })
	last := w.watch(l, fmt.Sprint("observations/", maxEnded+9), nil)
	if events, _, ended, _ := last.after(0); len(events) != 1 || !ended {
		t.Errorf("the last has %d events, ended %v", len(events), ended)
	}
}

// A new observation with the name of an ended one has only its own events.
func TestAnObservationOfAnOldNameIsNew(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{AllTools: true, Getenv: f.environ}, nil)
	f.on("CreateObservation", func(proto.Message) (proto.Message, error) {
		return &pb.Observation{Name: "applications/1/observations/o"}, nil
	})
	for _, title := range []string{"first", "second"} {
		f.mu.Lock()
		f.streams["StreamObservations"] = func(_ proto.Message, send func(proto.Message)) error {
			send(&pb.StreamObservationsResponse{Event: &pb.ObservationEvent{Sequence: 1, EventType: &pb.ObservationEvent_WindowEvent{WindowEvent: &pb.WindowEvent{Title: title}}}})
			return nil
		}
		f.mu.Unlock()
		do(t, s, "create_observation", `{"parent":"applications/1"}`)
		if text, _, failed := do(t, s, "stream_observations", `{"name":"applications/1/observations/o","timeout":20}`); failed || !strings.Contains(text, title) {
			t.Errorf("the %s has %q", title, text)
		}
	}
}
