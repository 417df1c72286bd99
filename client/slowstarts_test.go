//go:build unix

package client_test

import (
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"goated/client"
)

// Thirty servers that start slowly all connect, because the time limit of a start excludes the
// wait for the others. With GOATED_SOAK, each needs five seconds of its 25, so the last ones
// wait for longer than their limit.
func TestThirtySlowServersSoak(t *testing.T) {
	pause, limit := "0.1", 3*time.Minute
	if os.Getenv("GOATED_SOAK") != "" {
		pause, limit = "5", 25*time.Second
	}
	h := host(t, client.Options{Timeouts: client.Timeouts{Connect: limit}})
	server := misbehave(t)
	var wg sync.WaitGroup
	for i := range 30 {
		wg.Go(func() {
			c := client.Config{Command: "sh", Args: []string{"-c", "sleep " + pause + "; exec '" + server.Path + "'"}, Name: fmt.Sprintf("slow %d", i), NoSandbox: true}
			if _, err := h.Connect(t.Context(), c); err != nil {
				t.Errorf("%s: %v", c.Name, err)
			}
		})
	}
	wg.Wait()
	for _, s := range h.Snapshot().Servers {
		if s.Status != client.Connected || len(s.Tools) == 0 {
			t.Errorf("%s is %v with %d tools", s.Name, s.Status, len(s.Tools))
		}
	}
}
