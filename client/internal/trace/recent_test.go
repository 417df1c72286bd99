package trace

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// The last frames of each server wait for a listener that comes later, without secrets and within
// the bounds; what is taken is not kept again.
func TestRecentFramesWaitForTheirListener(t *testing.T) {
	const secret = "hunter2hunter2"
	var recent Recent
	var live []Event
	listening := false
	server := func(id string) *Tracer {
		return New(id, []string{secret}, func(e Event) { live = append(live, e) }).While(func() bool { return listening }).Keep(&recent)
	}
	a, b := server("a"), server("b")
	b.Sent([]byte("first "+secret), b.Now())
	for i := range recentFrames + 50 {
		a.Received(fmt.Appendf(nil, "frame %d", i), 10, false)
	}
	for shift := range len(secret) + 2 {
		b.Received([]byte(strings.Repeat(".", recentData-shift)+secret+strings.Repeat("!", 100<<10)), 200<<10, false)
	}
	if len(live) != 0 {
		t.Fatalf("%d events without a listener", len(live))
	}
	all := recent.Take()
	count := map[string]int{}
	bytesOf := 0
	for i, e := range all {
		count[e.Server]++
		bytesOf += len(e.Data)
		if bytes.Contains(e.Data, []byte("hunter2")) || len(e.Data) > recentData {
			t.Errorf("a frame of %d bytes has a secret or is too long", len(e.Data))
		}
		if i > 0 && e.Time.Before(all[i-1].Time) {
			t.Error("the frames are out of order")
		}
	}
	if count["a"] != recentFrames || count["b"] == 0 || bytesOf > 2*recentBytes {
		t.Errorf("%v frames of %d bytes", count, bytesOf)
	}
	if got := string(all[len(all)-1].Data[:4]); got != "...." {
		t.Errorf("the last frame begins with %q", got)
	}
	listening = true
	a.Received([]byte("now"), 3, false)
	listening = false
	a.Received([]byte("paused"), 6, false)
	if len(live) != 1 || len(recent.Take()) != 0 || a.on() {
		t.Errorf("%d live events; it keeps frames after they were taken", len(live))
	}
}

// Servers that are gone give way: memory is bounded, however many there were.
func TestRecentFramesOfManyServersAreBounded(t *testing.T) {
	var recent Recent
	for i := range 3 * recentServers {
		tracer := New(fmt.Sprint("server ", i), nil, func(Event) {}).While(func() bool { return false }).Keep(&recent)
		tracer.Received([]byte("hello"), 5, false)
	}
	all := recent.Take()
	if len(all) != recentServers || all[len(all)-1].Server != fmt.Sprint("server ", 3*recentServers-1) {
		t.Errorf("%d frames are left", len(all))
	}
}
