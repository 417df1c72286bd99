package limits

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"goated/internal/proc"
)

// The budget allows a million blank lines at once, a storm of 200,000 changes, the rest of a
// million steps of a cancelled call, and anything slower for hours. It does not allow endless data
// at full speed.
func TestBudget(t *testing.T) {
	now := time.Now()
	for _, tt := range []struct {
		name   string
		weight int
		count  int
		each   time.Duration // time between two
		flood  bool
	}{
		{"F19", blankWeight, 1_000_000, 0, false},
		{"F33", Unused.weight(), 200_000, 0, false},
		{"F38, cancelled", Unused.weight(), 1_000_000, 0, false},
		{"F38", Used.weight(), 10_000_000, 0, false},
		{"endless blank lines", blankWeight, 2_000_001, 0, true},
		{"a thousand unknown messages a second for an hour", Unknown.weight(), 3_600_000, time.Millisecond, false},
		{"twenty thousand unknown messages a second", Unknown.weight(), 200_000, 50 * time.Microsecond, true},
		{"requests at full speed", Request.weight(), 100_001, 0, true},
	} {
		var b budget
		at, n := now, 0
		var err error
		for ; n < tt.count && err == nil; n++ {
			at = at.Add(tt.each)
			err = b.spend(tt.weight, "x", func() time.Time { return at })
		}
		if (err != nil) != tt.flood || err != nil && !errors.Is(err, ErrFlood) {
			t.Errorf("%s: %v after %d", tt.name, err, n)
		}
	}
}

// Useless messages do not end a streak of lines that are not MCP. Useful messages do.
func TestStreakGoesOn(t *testing.T) {
	for v, ends := range map[Verdict]bool{Unused: false, Unknown: false, Answer: true, Request: true, Deliver: true, Used: true} {
		l := New(new(proc.LogRing), func() {})
		n := 0
		for ; n < 2*MaxStreak; n++ {
			if err := l.Message(v, "x"); err != nil {
				t.Fatal(err)
			}
			if err := l.Line([]byte("oops"), nil); err != nil {
				if !errors.Is(err, ErrNoise) {
					t.Errorf("the fault is %v", err)
				}
				break
			}
		}
		if ends != (n == 2*MaxStreak) || !ends && n != MaxStreak {
			t.Errorf("with verdict %d in between, the connection ends after %d lines", v, n)
		}
	}
}

// A server that now and then prints a line stays connected, however long no call ends the streak. A server
// that printed once in five seconds was stopped after an hour and a half without a call.
func TestSlowLinesAreNoStreak(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(new(proc.LogRing), func() {})
		for n := range 2 * MaxStreak {
			if err := l.Line([]byte("still here"), nil); err != nil {
				t.Fatalf("after %d lines: %v", n, err)
			}
			time.Sleep(5 * time.Second)
		}
		for range MaxStreak + 1 {
			if err := l.Line([]byte("still here"), nil); errors.Is(err, ErrNoise) {
				return
			}
		}
		t.Error("a thousand lines at once are no streak")
	})
}

// A response to a cancelled call is not counted like the noise of a server that responds to calls
// that were never made.
func TestLateAnswers(t *testing.T) {
	l := New(new(proc.LogRing), func() {})
	for range 2 * MaxStreak {
		l.CallCancelled()
		if err := l.UnexpectedResponse(nil); err != nil {
			t.Fatalf("an answer that crossed its cancellation ends the connection: %v", err)
		}
	}
	n := 0
	for ; l.UnexpectedResponse(nil) == nil; n++ {
	}
	if n != MaxStreak {
		t.Errorf("%d answers to no call are accepted, want %d", n, MaxStreak)
	}
}

// The callback may read the noise, because no lock is held while it runs.
func TestChangedMayReadTheNoise(t *testing.T) {
	var l *Limits
	var calls []int
	l = New(new(proc.LogRing), func() { calls = append(calls, l.Noise().Lines) })
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 100 {
			_ = l.Line([]byte("hello"), nil)
		}
	})
	wg.Wait()
	if len(calls) != 7 || calls[6] != 64 { // 1, 2, 4 … 64
		t.Errorf("the callback runs at %v lines", calls)
	}
}
