package consent

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"goated/internal/config"
	"goated/internal/sandbox"
)

func start(ask func()) { go ask() }

// The call gets an answer that comes while it waits. A later yes goes to Late, and a later no is
// ignored.
func TestPendingQuestion(t *testing.T) {
	for _, allow := range []bool{true, false} {
		for _, late := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				var held, over, given atomic.Int32
				got := PendingQuestion{
					Ask: func(seen func()) bool {
						seen()
						if time.Sleep(time.Second / 2); late {
							time.Sleep(time.Second)
						}
						return allow
					},
					Late: func() { given.Add(1) }, Over: func() { over.Add(1) },
				}.Wait(ctx, start, func() { held.Add(1) })
				time.Sleep(time.Minute)
				if got != (allow && !late) || held.Load() != 1 || over.Load() == 1 != late || given.Load() == 1 != (allow && late) {
					t.Errorf("allow %v, late %v: %v; held %d, over %d, given %d times", allow, late, got, held.Load(), over.Load(), given.Load())
				}
			})
		}
	}
}

// If nobody sees the question, the call is not held.
func TestHoldWithoutAnybody(t *testing.T) {
	if (PendingQuestion{Ask: func(func()) bool { return false }}).Wait(t.Context(), start, func() { t.Error("it was held") }) {
		t.Error("it was allowed")
	}
}

// While a call waits, goated does not ask a question that is already open, refused permanently or
// above the limit. It does ask one that was answered "not now".
func TestMayHold(t *testing.T) {
	r := &Requests{MaxAsked: 1}
	a, b := sandbox.Permission{Kind: sandbox.ToHost, Host: "a.example"}, sandbox.Permission{Kind: sandbox.ToHost, Host: "b.example"}
	may := func(p sandbox.Permission, want bool) {
		t.Helper()
		if r.MayHold("s", config.Launch{}, p) != want {
			t.Errorf("%s: not %v", p.Host, want)
		}
	}
	may(a, true)
	r.Held("s", a)
	may(a, false)
	may(b, false)
	r.Answered("s", a)
	may(a, true)
	if r.Ask("s", config.Launch{}, a) {
		t.Error("it is asked twice")
	}
	if r.MayHold("s", config.Launch{Refused: sandbox.Permissions{a}}, a) {
		t.Error("it is asked for what the user never wants")
	}
}
