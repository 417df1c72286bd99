package backend_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"goated/internal/waittest"
	"goated/servers/desktop/backend"
	"goated/servers/desktop/link"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/x11test"
)

// Calls end while the X server hangs. They used to wait forever. Later calls end at once, and work
// when the server continues.
func TestCallsEndWhileTheDisplayHangs(t *testing.T) {
	t.Parallel()
	d, err := hidden.Start(t.Context(), hidden.Options{Bare: true, Width: 200, Height: 200})
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(d.Close)
	b, err := backend.New(t.Context(), backend.Options{Display: d.Display, Authority: d.Authority()})
	if err != nil {
		t.Fatal(err)
	}
	l, err := link.Local(b, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	list := func() error {
		return l.CallFor(t.Context(), "ListWindows", &pb.ListWindowsRequest{Parent: "applications/-"}, new(pb.ListWindowsResponse), 20*time.Second)
	}
	if err := list(); err != nil {
		t.Fatal(err)
	}
	goOn := x11test.Hang(t, d.Display)
	failed := make(chan error, 2)
	go func() { failed <- list() }()
	go func() { failed <- l.CallFor(t.Context(), "CreateInput", key("a"), new(pb.Input), 20*time.Second) }()
	ends := func(err error) {
		t.Helper()
		var failure *link.Failure
		if !errors.As(err, &failure) || failure.Code != codes.Unavailable || !strings.Contains(failure.Message, "does not answer") || !strings.Contains(failure.Hint, "Wait a few seconds") {
			t.Errorf("a call ends with %#v", err)
		}
	}
	for range 2 {
		ends(waittest.Receive(t, "the end of a call", failed))
	}
	began := time.Now()
	ends(list())
	if took := time.Since(began); took > time.Second {
		t.Errorf("a later call took %v", took)
	}
	goOn()
	waittest.Until(t, "a call that works", func() bool { return list() == nil })
}

// While the X server hangs, the user can halt everything, and closing the backend ends all calls.
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
