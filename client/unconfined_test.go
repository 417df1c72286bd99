package client

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"goated/client/diagnose"
	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// On a system without a sandbox, goated asks the user once for each server. The answer may take
// longer than a server may take to start.
func TestUnconfinedAsksOnce(t *testing.T) {
	servertest.UsePython(t)
	var asked atomic.Int32
	allow := false
	h := New(Options{Timeouts: Timeouts{Connect: 10 * time.Second}, Unconfined: func(_ context.Context, name string, c Config) bool {
		asked.Add(1)
		return allow && name == "dice" && c.Path == servertest.Dice()
	}})
	defer h.Close()
	h.sandboxes.probe = func() sandbox.Status { return sandbox.Status{} }
	c := Config{Path: servertest.Dice()}
	if _, err := h.Connect(t.Context(), c); !errors.Is(err, errUnconfined) || !errors.Is(err, ErrStart) || asked.Load() != 1 {
		t.Fatalf("denied after %d questions, it says %v", asked.Load(), err)
	}
	allow = true
	id, err := h.Connect(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Restart(t.Context(), id); err != nil || asked.Load() != 2 {
		t.Errorf("it was asked %d times in all, %v", asked.Load(), err)
	}
	if s := h.Snapshot().Servers[0]; s.Sandbox.Confined() || s.NoSandbox {
		t.Errorf("it is %v, %v", s.Sandbox, s.NoSandbox)
	}
	nobody := New(Options{Timeouts: Timeouts{Connect: 10 * time.Second}})
	defer nobody.Close()
	nobody.sandboxes.probe = h.sandboxes.probe
	_, err = nobody.Connect(t.Context(), c)
	if !errors.Is(err, errCannotAsk) || !Unconfined(err) || errors.Is(err, errUnconfined) {
		t.Errorf("with nobody to ask it says %v", err)
	}
	var e *Error
	if !errors.As(err, &e) || e.Report == nil || e.Report.Cause != diagnose.SandboxMissing {
		t.Errorf("its diagnosis is %+v", e)
	}
	if s := nobody.Snapshot().Servers; len(s) != 1 || s[0].Status != Failed {
		t.Errorf("it is %+v", s)
	}
	without := c
	without.NoSandbox = true
	if _, err := nobody.Connect(t.Context(), without); err != nil {
		t.Error(err)
	}
	c.Unconfined, c.Args = true, []string{"again"}
	if _, err := h.Connect(t.Context(), c); err != nil || asked.Load() != 2 {
		t.Errorf("what is remembered is asked: %d, %v", asked.Load(), err)
	}
}
