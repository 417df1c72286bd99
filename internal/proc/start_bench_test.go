//go:build linux

package proc

import (
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"goated/internal/sandbox"
)

// BenchmarkStart measures the time from the start to the exit of a program that does nothing:
// alone, in a sandbox, under a keeper, and with both. "added-p50-ms" is the difference to bare
// starts, which run in turn with the measured ones and so under the same load.
func BenchmarkStart(b *testing.B) {
	program, err := exec.LookPath("true")
	if err != nil {
		b.Skip(err)
	}
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	keeper := []string{self, "keep"}
	policy := sandbox.For(program, "", b.TempDir(), nil)
	for _, tt := range []struct {
		name   string
		keeper []string
		policy *sandbox.Policy
	}{{"bare", nil, nil}, {"sandbox", nil, &policy}, {"kept", keeper, nil}, {"kept+sandbox", keeper, &policy}} {
		b.Run(tt.name, func(b *testing.B) {
			var all, bare []time.Duration
			for b.Loop() {
				bare = append(bare, startOnce(b, Command{Program: program}))
				all = append(all, startOnce(b, Command{Program: program, Keeper: tt.keeper, Policy: tt.policy}))
			}
			p50 := func(d []time.Duration) float64 { slices.Sort(d); return d[len(d)/2].Seconds() * 1000 }
			b.ReportMetric(0, "ns/op") // it would include the bare starts
			b.ReportMetric(p50(all), "p50-ms")
			b.ReportMetric(p50(all)-p50(bare), "added-p50-ms")
		})
	}
}

func startOnce(b *testing.B, c Command) time.Duration {
	begin := time.Now()
	t, err := start(b.Context(), c, [3]*os.File{})
	if err != nil {
		b.Fatal(err)
	}
	end := t.wait()
	took := time.Since(begin)
	if end != (Exit{}) || c.Policy != nil && !t.sandbox.Confined() {
		b.Fatal(end, t.sandbox)
	}
	t.kill()
	t.release()
	return took
}
