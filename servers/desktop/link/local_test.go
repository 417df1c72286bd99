package link

import (
	"context"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"goated/internal/waittest"
	pb "goated/servers/desktop/macosusesdk"
)

// A stubborn is a backend with a call that ends only when the backend is closed.
type stubborn struct {
	desk
	begun, gone chan struct{}
}

func (d *stubborn) GetWindow(context.Context, *pb.GetWindowRequest) (*pb.Window, error) {
	close(d.begun)
	<-d.gone
	return nil, status.Error(codes.Unavailable, "the display has ended")
}

func (d *stubborn) Close() error { close(d.gone); return nil }

// A call that waited for a display and ignored its context prevented Close from returning.
func TestCloseEndsACallThatIgnoresItsContext(t *testing.T) {
	d := &stubborn{begun: make(chan struct{}), gone: make(chan struct{})}
	l, err := Local(d, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	called := make(chan error, 1)
	go func() {
		called <- l.Call(context.Background(), "GetWindow", &pb.GetWindowRequest{Name: "w"}, new(pb.Window))
	}()
	waittest.Receive(t, "the call begins", d.begun)
	closed := make(chan error, 1)
	go func() { closed <- l.Close() }()
	if err := waittest.Receive(t, "Close returns", closed); err != nil {
		t.Error(err)
	}
	if err := waittest.Receive(t, "the call ends", called); err == nil {
		t.Error("the call succeeded")
	}
}
