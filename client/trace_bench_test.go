package client_test

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"goated/client"
)

// BenchmarkTrace compares the median call times in one run, in turns: without a trace, with a
// trace that does not listen, and with one that does. "closed-%" is the overhead of a closed
// inspector for a call. "recent-%" is the overhead of the last frames that are kept for it.
func BenchmarkTrace(b *testing.B) {
	server := compiled(b)
	var on atomic.Bool
	var events atomic.Int64
	report := func(client.TraceEvent) { events.Add(1) }
	closed := func() bool { return false }
	options := []client.TraceOptions{{}, {Report: report, Listening: on.Load}, {Report: report}, {Report: report, Listening: closed, Recent: new(client.RecentTrace)}}
	var hosts []*client.Host
	for _, o := range options {
		h := client.New(client.Options{Trace: o})
		defer h.Close()
		if _, err := h.Connect(b.Context(), client.Config{Path: server, Name: "simple", Bundled: true}); err != nil {
			b.Fatal(err)
		}
		hosts = append(hosts, h)
	}
	before := events.Load()
	took := make([][]time.Duration, len(hosts))
	for b.Loop() {
		for i, h := range hosts {
			began := time.Now()
			if _, err := h.Call(b.Context(), "simple__multiply", product, nil); err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], time.Since(began))
		}
	}
	if n := int(events.Load() - before); n < 2*len(took[0]) {
		b.Fatalf("%d events of %d calls that are listened to", n, len(took[0]))
	}
	median := func(d []time.Duration) float64 {
		slices.Sort(d)
		return float64(d[len(d)/2].Nanoseconds())
	}
	none := median(took[0])
	b.ReportMetric(none, "none-ns/call")
	b.ReportMetric(100*(median(took[1])/none-1), "closed-%")
	b.ReportMetric(100*(median(took[2])/none-1), "open-%")
	b.ReportMetric(100*(median(took[3])/none-1), "recent-%")
}
