package trace

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// The last frames of each server wait for a later listener, without secrets and within the bounds.
// Frames that a listener took are not kept again.
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
		b.Received([]byte(strings.Repeat(".", MaxData-shift)+secret+strings.Repeat("!", 100<<10)), 200<<10, false)
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
		if bytes.Contains(e.Data, []byte("hunter2")) || len(e.Data) > MaxData {
			t.Errorf("a frame of %d bytes has a secret or is too long", len(e.Data))
		}
		if i > 0 && e.Time.Before(all[i-1].Time) {
			t.Error("the frames are out of order")
		}
	}
	if count["a"] != recentFrames || count["b"] == 0 || bytesOf > recentBytes {
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

// Servers that are gone make room for others, so memory is bounded however many there were.
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

// Messages of ordinary size, such as the tool lists of most servers, were truncated at 8 KiB.
func TestRecentFramesAreWhole(t *testing.T) {
	var recent Recent
	list := bytes.Repeat([]byte("{}, "), 15<<10)
	New("a", nil, func(Event) {}).While(func() bool { return false }).Keep(&recent).Received(list, len(list), false)
	if all := recent.Take(); len(all) != 1 || !bytes.Equal(all[0].Data, list) {
		t.Errorf("of %d bytes it keeps %d", len(list), len(all[0].Data))
	}
}

// All servers share one bound. The server with the most bytes gives way, rather than the quiet ones.
func TestRecentFramesHaveOneBound(t *testing.T) {
	var recent Recent
	of := func(id string) *Tracer {
		return New(id, nil, func(Event) {}).While(func() bool { return false }).Keep(&recent)
	}
	of("quiet").Received([]byte("hello"), 5, false)
	long := make([]byte, 60<<10)
	held := func() (n int) {
		for _, r := range recent.servers {
			for _, k := range r.frames {
				n += cap(k.event.Data)
			}
		}
		return n
	}
	for i := range 200 {
		of(fmt.Sprint("server ", i%(2*recentServers))).Received(long, len(long), false)
		of("loud").Received(long, len(long), false)
		of("quiet").Received([]byte("hello"), 5, false)
		if n := held(); n > recentBytes || n != recent.bytes {
			t.Fatalf("after %d frames it has %d bytes and counts %d", 3*i, n, recent.bytes)
		}
	}
	quiet := 0
	for _, e := range recent.Take() {
		if e.Server == "quiet" {
			quiet++
		}
	}
	if quiet != 201 {
		t.Errorf("%d frames of the quiet server are left", quiet)
	}
}

// BenchmarkRecent measures one frame of ordinary size while nothing listens.
func BenchmarkRecent(b *testing.B) {
	for _, size := range []int{200, 8 << 10, 64 << 10} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			var recent Recent
			tracer := New("a", nil, func(Event) {}).While(func() bool { return false }).Keep(&recent)
			data := make([]byte, size)
			b.ReportAllocs()
			for b.Loop() {
				tracer.Received(data, size, false)
			}
		})
	}
}

// The last listener may leave between the two moments at which a tracer asks for it. Without a Recent, the
// frame is lost, and nothing panics.
func TestFrameIsLostWhenTheListenerLeaves(t *testing.T) {
	left := false
	tracer := New("a", nil, func(Event) { t.Error("a frame without a listener") }).While(func() bool {
		defer func() { left = true }()
		return !left
	})
	tracer.Received([]byte("{}"), 2, false)
}
