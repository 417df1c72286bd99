package client

import (
	"testing"
	"time"

	"goated/internal/servertest"
)

// What is connected again while it waits to be brought back is not waited for any
// more: its pause would hold up Close.
func TestConnectingAnewEndsTheWait(t *testing.T) {
	t.Parallel()
	h := New(Options{Env: servertest.Environ(t)})
	defer h.Close()
	c := Config{Path: servertest.Script("dice.js"), NoSandbox: true}
	old, err := h.add(c)
	if err != nil {
		t.Fatal(err)
	}
	defer old.end()
	h.fail(old, &Error{Kind: ErrExited, Subject: c.Path})
	go func() {
		defer h.wg.Done()
		old.revive(time.Hour)
	}()
	if _, err := h.Connect(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	select {
	case <-old.done:
	case <-time.After(10 * time.Second):
		t.Error("it waits on")
	}
	if s := h.Snapshot().Servers; len(s) != 1 || s[0].Status != Connected {
		t.Errorf("the list is %+v", s)
	}
}
