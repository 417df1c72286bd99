//go:build unix

package client_test

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"goated/client"
)

// The answer of the call has the maximum length. The memory for the SDK's own copies is only
// logged, because goated makes no promise about it. After the caller drops the answer, no
// memory of it may remain in use.
func TestMemoryOfACall(t *testing.T) {
	if testing.Short() {
		t.Skip("it is about 64 MiB")
	}
	h := host(t, client.Options{})
	connect(t, h, misbehave(t, "size", "1000"))
	live := func() uint64 {
		runtime.GC()
		return metric("/gc/heap/live:bytes")
	}
	before := live()
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	stop, done := make(chan struct{}), make(chan struct{})
	var peakLive, peakAll uint64
	go func() {
		defer close(done)
		for {
			peakLive, peakAll = max(peakLive, metric("/gc/heap/live:bytes")), max(peakAll, metric("/memory/classes/heap/objects:bytes"))
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	r, err := h.Call(t.Context(), "m__one", map[string]any{"size": client.DefaultMaxFrame}, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := len(said(t, r))
	close(stop)
	<-done
	after := live() // r is no longer used
	t.Logf("a text of %d MiB: +%d MiB live at the most, +%d MiB with garbage; %+d MiB after it",
		n>>20, (peakLive-before)>>20, (peakAll-before)>>20, (int64(after)-int64(before))>>20)
	if after > before+8<<20 {
		t.Errorf("%d MiB are held after the call", (after-before)>>20)
	}
}

func metric(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
