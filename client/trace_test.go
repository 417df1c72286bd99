//go:build unix

package client_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"goated/client"
	"goated/client/internal/trace"
	"goated/internal/waittest"
)

// A tap collects the events of [client.TraceOptions].
type tap struct {
	mu     sync.Mutex
	events []client.TraceEvent
}

func (l *tap) add(e client.TraceEvent) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
}

// seen counts the frames and the noise lines of one direction. It identifies a line by its
// length and its beginning.
func (l *tap) seen(d int) (lines map[string]int, noise int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines = make(map[string]int)
	for _, e := range l.events {
		if int(e.Direction) == d && e.End == 0 {
			lines[identify(string(e.Data), e.Size)]++
			if e.Noise {
				noise++
			}
		}
	}
	return lines, noise
}

func identify(line string, size int) string { return fmt.Sprintf("%d %.40s", size, line) }

// check compares the events with the lines that the server itself recorded.
func (l *tap) check(t *testing.T, dir string, noise int) {
	t.Helper()
	for d, name := range map[int]string{int(client.Sent): "in", int(client.Received): "out"} {
		want := make(map[string]int)
		for _, line := range recorded(t, dir, name) {
			want[identify(strings.ReplaceAll(line, traceSecret, "[secret]"), len(line))]++
		}
		got, noisy := l.seen(d)
		if !maps.Equal(got, want) {
			for line, n := range want {
				if got[line] != n {
					t.Errorf("%s: %d events, want %d, of %s", name, got[line], n, line)
				}
			}
			for line, n := range got {
				if want[line] == 0 {
					t.Errorf("%s: %d events of a line that the server does not know: %s", name, n, line)
				}
			}
		}
		if name == "out" && noisy != noise {
			t.Errorf("%d noise lines are reported, want %d", noisy, noise)
		}
	}
}

const traceSecret = "t0k3n-that-nobody-may-see"

// Each frame and each noise line is reported exactly once. The test includes parallel calls,
// lines that are not messages, a frame over the limit, cancelled calls, and a restart. No event
// contains the server's secret, or more data than its limit.
func TestTraceReportsEachFrameOnce(t *testing.T) {
	t.Parallel()
	var l tap
	c, dir := recorder(t)
	c.Env = []string{"RECORD_TOKEN=" + traceSecret}
	h := host(t, client.Options{Trace: client.TraceOptions{Report: l.add}, MaxFrame: 1 << 20})
	id := connect(t, h, c)
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			for i := range 10 {
				if _, err := h.Call(t.Context(), "r__do", map[string]any{"noise": i % 3, "size": 1000*n + i}, nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	noise := 8 * (0 + 1 + 2 + 0 + 1 + 2 + 0 + 1 + 2 + 0)
	if _, err := h.Call(t.Context(), "r__do", map[string]any{"size": 200_000}, nil); err != nil { // larger than the limit of an event
		t.Error(err)
	}
	if _, err := h.Call(t.Context(), "r__do", map[string]any{"size": 2 << 20}, nil); !errors.Is(err, client.ErrTool) { // larger than MaxFrame
		t.Errorf("a frame over the limit: %v", err)
	}
	for range 5 {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			if _, err := h.Call(t.Context(), "r__do", nil, nil); err != nil {
				t.Error(err)
			}
			cancel() // the hanging call is written before or after this one
		}()
		if _, err := h.Call(ctx, "r__do", map[string]any{"hang": true}, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled call: %v", err)
		}
	}
	if err := h.Restart(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Call(t.Context(), "r__do", map[string]any{"noise": 1}, nil); err != nil {
		t.Error(err)
	}
	if err := h.Disconnect(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	l.check(t, dir, noise+1)
	for _, e := range l.events {
		if bytes.Contains(e.Data, []byte(traceSecret)) {
			t.Errorf("the secret is in %q", e.Data)
		}
		if len(e.Data) > trace.MaxData || e.Server != id || e.Time.IsZero() {
			t.Errorf("an event of %d bytes for server %q at %v", len(e.Data), e.Server, e.Time)
		}
	}
}

// The frames before a server dies in a call are reported once, and so are those of the process
// that replaces it.
func TestTraceOverRestart(t *testing.T) {
	t.Parallel()
	var l tap
	c, dir := recorder(t)
	h := host(t, client.Options{Trace: client.TraceOptions{Report: l.add}, Restart: true})
	id := connect(t, h, c)
	if _, err := h.Call(t.Context(), "r__do", map[string]any{"noise": 2, "die": true}, nil); !errors.Is(err, client.ErrDisconnected) {
		t.Fatalf("the call says %v", err)
	}
	until(t, h, "the server is connected again", func(s client.Snapshot) bool { return s.Servers[0].Status == client.Connected })
	if _, err := h.Call(t.Context(), "r__do", nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := h.Disconnect(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	l.check(t, dir, 2)
}

// A secret that TraceOptions.Secret names is masked; other values are not.
func TestTraceSecrets(t *testing.T) {
	t.Parallel()
	for secret, want := range map[bool]string{true: "[secret]", false: traceSecret} {
		var l tap
		c, _ := recorder(t)
		c.Env = []string{"RECORD_TOKEN=" + traceSecret}
		h := host(t, client.Options{Trace: client.TraceOptions{Report: l.add, Secret: func(name, _ string) bool { return secret && name == "RECORD_TOKEN" }}})
		id := connect(t, h, c)
		if _, err := h.Call(t.Context(), "r__do", map[string]any{"noise": 1}, nil); err != nil {
			t.Fatal(err)
		}
		if err := h.Disconnect(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		found := false
		for _, e := range l.events {
			found = found || e.Noise && strings.HasSuffix(string(e.Data), "with "+want)
		}
		if !found {
			t.Errorf("no noise line ends with %q", want)
		}
	}
}

// A server may respond before goated's write returns. The inspector then reported an "answer to no
// known request". Report holds the request up here, until the response comes or enough time has passed.
func TestTraceHasARequestBeforeItsResponse(t *testing.T) {
	t.Parallel()
	var l tap
	responded := make(chan struct{})
	const size = 5000
	isResponse := func(e client.TraceEvent) bool { return e.Direction == client.Received && e.Size > size }
	report := func(e client.TraceEvent) {
		if e.Direction == client.Sent && bytes.Contains(e.Data, []byte("tools/call")) {
			select {
			case <-responded:
			case <-time.After(100 * time.Millisecond):
			}
		}
		l.add(e)
		if isResponse(e) {
			close(responded)
		}
	}
	c, _ := recorder(t)
	h := host(t, client.Options{Trace: client.TraceOptions{Report: report}})
	connect(t, h, c)
	if _, err := h.Call(t.Context(), "r__do", map[string]any{"size": size}, nil); err != nil {
		t.Fatal(err)
	}
	waittest.Receive(t, "the response", responded)
	l.mu.Lock()
	defer l.mu.Unlock()
	response := slices.IndexFunc(l.events, isResponse)
	if !slices.ContainsFunc(l.events[:response], func(e client.TraceEvent) bool {
		return e.Direction == client.Sent && bytes.Contains(e.Data, []byte("tools/call"))
	}) {
		t.Error("the response is reported before its request")
	}
}
