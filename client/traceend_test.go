//go:build unix

package client_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"goated/client"
	"goated/internal/servertest"
)

// ends returns how the connections ended, in order.
func (l *tap) ends() (all []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.events {
		switch e.End {
		case client.Closed:
			all = append(all, "closed")
		case client.Lost:
			all = append(all, "lost: "+string(e.Data))
		}
	}
	return all
}

// began reports whether anything was sent or received.
func (l *tap) began() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.events) > 0
}

// The trace reports once how each connection ended, without secrets. Before, the inspector
// showed no outcome for the requests of a server that exited.
func TestTraceSaysHowAConnectionEnds(t *testing.T) {
	t.Parallel()
	const secret = "s3cr3t-value-of-a-token"
	var crash, start, user tap
	t.Run("in a call", func(t *testing.T) {
		h := host(t, client.Options{Env: servertest.Environ(t), Trace: client.TraceOptions{Report: crash.add}})
		path := crashing(t, "dice.py", `import os; os.write(2, ("bad token " + os.environ["TOKEN"] + "\n").encode()); os._exit(7)`)
		id := connect(t, h, client.Config{Path: path, NoSandbox: true, Env: []string{"TOKEN=" + secret}})
		if _, err := h.Call(t.Context(), id+"__roll", nil, nil); !errors.Is(err, client.ErrDisconnected) {
			t.Fatal(err)
		}
		until(t, h, "the server has failed", func(s client.Snapshot) bool { return s.Servers[0].Err != nil })
		if got := crash.ends(); !slices.Equal(got, []string{"lost: Server exited: exit status 7: bad token [secret]"}) {
			t.Errorf("the connection ended with %q", got)
		}
		last := crash.events[len(crash.events)-1]
		if n := slices.IndexFunc(crash.events, func(e client.TraceEvent) bool { return strings.Contains(string(e.Data), "tools/call") }); n < 0 || last.End != client.Lost || last.Time.Before(crash.events[n].Time) {
			t.Errorf("the end is not after the call: %+v", last)
		}
	})
	t.Run("at the start", func(t *testing.T) {
		h := host(t, client.Options{Env: servertest.Environ(t), Trace: client.TraceOptions{Report: start.add}})
		if _, err := h.Connect(t.Context(), client.Config{Command: "sh", Args: []string{"-c", "read line; exit 5"}, Name: "gone", NoSandbox: true}); err == nil {
			t.Fatal("it is connected")
		}
		// The first process exits at server/discover, and the second one at initialize.
		if got, want := start.ends(), []string{"lost: Failed to start server: exit status 5", "lost: Failed to start server: exit status 5"}; !slices.Equal(got, want) {
			t.Errorf("the connections ended with %q, not %q", got, want)
		}
	})
	t.Run("after a timeout", func(t *testing.T) {
		for limit := 100 * time.Millisecond; ; limit *= 2 {
			var late tap
			h := host(t, client.Options{Timeouts: client.Timeouts{Connect: limit}, Trace: client.TraceOptions{Report: late.add}})
			if _, err := h.Connect(t.Context(), client.Config{Command: "sleep", Args: []string{"100"}, Name: "silent", NoSandbox: true}); !errors.Is(err, client.ErrConnectTimeout) {
				t.Fatal(err)
			}
			got := late.ends()
			if !late.began() && limit < 10*time.Second {
				continue // the limit passed before the process ran, so there was no connection
			}
			if len(got) != 1 || !strings.HasPrefix(got[0], "lost: Connection timeout after ") {
				t.Errorf("the connection ended with %q", got)
			}
			return
		}
	})
	t.Run("by the user", func(t *testing.T) {
		c, _ := recorder(t)
		h := host(t, client.Options{Trace: client.TraceOptions{Report: user.add}})
		id := connect(t, h, c)
		if err := h.Restart(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if err := h.Disconnect(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(user.ends()); got != "[closed closed]" {
			t.Errorf("the connections ended with %s", got)
		}
	})
}
