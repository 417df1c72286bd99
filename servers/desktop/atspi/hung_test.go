//go:build unix

package atspi_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/x11/x11test"
)

// A stopped application yields a partial tree within the budget. A call marks it as hung. It works
// again after it continues.
func TestHungApplication(t *testing.T) {
	const call = 500 * time.Millisecond
	b := connect(t, atspi.Options{Call: call})
	pid := start(t, "galculator")
	snap := tree(t, b, pid, "button")
	_, target := one(t, b, snap, "role:button AND text:7")
	goOn := x11test.Stop(t, pid)
	within(t, budget, "the list of applications", func() {
		apps, err := b.Applications(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range apps {
			if a.Hung != (a.PID == pid) {
				t.Errorf("%+v", a)
			}
		}
	})
	within(t, budget, "the tree of a stopped application", func() {
		tree, err := b.Snapshot(t.Context(), snap.App)
		if err != nil || len(tree.Partial) == 0 {
			t.Errorf("%v, %v", tree, err)
		}
	})
	var hung *atspi.HungError
	within(t, 3*call, "a press", func() {
		if _, err := b.Act(t.Context(), target, atspi.Expect{}, "press"); !errors.As(err, &hung) {
			t.Errorf("pressed a stopped application: %v", err)
		}
	})
	within(t, budget, "the next press", func() {
		if _, err := b.Act(t.Context(), target, atspi.Expect{}, "press"); !errors.As(err, &hung) {
			t.Errorf("pressed a stopped application: %v", err)
		}
	})
	goOn()
	desk.Until(t, "answer after it goes on", func() bool {
		_, _ = b.Applications(t.Context()) // notices that it answers again
		_, err := b.Act(t.Context(), target, atspi.Expect{}, "press")
		return err == nil
	})
}

// If the caller runs out of time, that does not mean that the application hangs. It used to be marked
// as hung, and each call in the next five seconds failed.
func TestTheEndOfTheCallersTimeIsNoHang(t *testing.T) {
	b := connect(t, atspi.Options{})
	pid := start(t, "galculator")
	_, target := one(t, b, tree(t, b, pid, "button"), "role:button AND text:7")
	goOn := x11test.Stop(t, pid)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	var hung *atspi.HungError
	if _, err := b.Act(ctx, target, atspi.Expect{}, "press"); !errors.Is(err, context.DeadlineExceeded) || errors.As(err, &hung) {
		t.Errorf("the caller has no time: %v", err)
	}
	goOn()
	if _, err := b.Act(t.Context(), target, atspi.Expect{}, "press"); err != nil {
		t.Errorf("the next call: %v", err)
	}
}
