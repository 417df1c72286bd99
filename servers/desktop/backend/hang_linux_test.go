package backend_test

import (
	"testing"
	"time"

	"goated/internal/waittest"
	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/x11test"
)

// While the X server hangs, the user can halt everything, and the backend ends with all calls.
func TestADisplayThatHangsEndsNothingLate(t *testing.T) {
	d, err := hidden.Start(t.Context(), hidden.Options{Bare: true, Width: 200, Height: 200})
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(d.Close)
	b, err := backend.New(t.Context(), backend.Options{Display: d.Display, Authority: d.Authority(), Sign: true})
	if err != nil {
		t.Fatal(err)
	}
	x11test.Hang(t, d.Display)
	failed := make(chan error, 2)
	go func() {
		_, err := b.ListWindows(t.Context(), &pb.ListWindowsRequest{Parent: "applications/-"})
		failed <- err
	}()
	go func() {
		_, err := b.CreateInput(t.Context(), key("a"))
		failed <- err
	}()
	prompt := func(what string, limit time.Duration, f func()) {
		t.Helper()
		began := time.Now()
		waittest.Return(t, what, f)
		if took := time.Since(began); took > limit {
			t.Errorf("%s took %v", what, took)
		}
	}
	prompt("the halt", time.Second, b.Halt)
	prompt("the end", 10*time.Second, func() { _ = b.Close() })
	for range 2 {
		if err := waittest.Receive(t, "the end of a call", failed); err == nil {
			t.Error("a call on a display that hangs worked")
		}
	}
}
