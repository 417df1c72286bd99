package client

import (
	"testing"
	"time"

	"goated/internal/proc"
)

// A million blank lines at once, a storm of 200,000 changes, the rest of a
// million steps of a call that was given up, and hours of anything slower are no
// flood; what goes on and on at full speed is one.
func TestBurden(t *testing.T) {
	now := time.Now()
	for _, tt := range []struct {
		name   string
		weight int
		count  int
		each   time.Duration // between two of them
		flood  bool
	}{
		{"F19", blankWeight, 1_000_000, 0, false},
		{"F33", spare.weight(), 200_000, 0, false},
		{"F38, given up", spare.weight(), 1_000_000, 0, false},
		{"F38", used.weight(), 10_000_000, 0, false},
		{"blank lines without end", blankWeight, 2_000_001, 0, true},
		{"a thousand a second of what nobody knows, for an hour", unknown.weight(), 3_600_000, time.Millisecond, false},
		{"twenty thousand a second of it", unknown.weight(), 200_000, 50 * time.Microsecond, true},
		{"questions at full speed", asks.weight(), 100_001, 0, true},
	} {
		var b burden
		at, n := now, 0
		var err error
		for ; n < tt.count && err == nil; n++ {
			at = at.Add(tt.each)
			err = b.add(tt.weight, "x", func() time.Time { return at })
		}
		if (err != nil) != tt.flood || err != nil && !Quarantined(err) {
			t.Errorf("%s: %v after %d", tt.name, err, n)
		}
	}
}

// What reaches nobody does not hide that the rest is no MCP.
func TestRowGoesOn(t *testing.T) {
	var s server
	c := &stdio{p: &proc.Process{Stderr: new(proc.LogRing)}, notified: s.notified, tell: func() {}, maxFrame: 1 << 20}
	for _, between := range []string{"", `{"jsonrpc":"2.0","method":"notifications/x"}`, `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"x"}}`} {
		c.row, c.rowBytes, c.idle = 0, 0, burden{}
		n := 0
		for ; n < 2*strayLines; n++ {
			_, _ = c.take([]byte(between + "\n"))
			if _, err := c.take([]byte("oops\n")); err != nil {
				break
			}
		}
		if n != strayLines {
			t.Errorf("with %q between, it is put away after %d lines", between, n)
		}
	}
}
