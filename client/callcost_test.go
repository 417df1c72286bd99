//go:build unix

package client_test

import (
	"runtime"
	"testing"

	"goated/client"
)

// A call costs the host at most 2 kB and 20 allocations, including the decoded result.
func TestCallCosts(t *testing.T) {
	h := host(t, client.Options{})
	connect(t, h, misbehave(t, "fine"))
	args := map[string]any{"id": 1}
	call := func(n int) {
		for range n {
			if _, err := h.Call(t.Context(), "m__one", args, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	const n = 500
	call(50)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call(n)
	runtime.ReadMemStats(&after)
	if bytes, allocs := (after.TotalAlloc-before.TotalAlloc)/n, (after.Mallocs-before.Mallocs)/n; bytes > 2000 || allocs > 20 {
		t.Errorf("a call takes %d bytes and %d allocations", bytes, allocs)
	}
}
