package backend_test

import (
	"context"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"

	"goated/internal/bustest"
	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
)

// A deafBus is an accessibility bus that is on, and does not say where it is.
type deafBus struct{}

func (deafBus) Get(string, string) (dbus.Variant, *dbus.Error) { return dbus.MakeVariant(true), nil }

func (deafBus) GetAddress() (string, *dbus.Error) {
	return "", dbus.MakeFailedError(context.DeadlineExceeded)
}

// deaf starts a session bus with a deafBus.
func deaf(t *testing.T) (address string) {
	t.Helper()
	address = bustest.Start(t)
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	for _, face := range []string{"org.freedesktop.DBus.Properties", "org.a11y.Bus"} {
		if err := conn.Export(deafBus{}, "/org/a11y/bus", face); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := conn.RequestName("org.a11y.Bus", 0); err != nil {
		t.Fatal(err)
	}
	return address
}

// A headerStream keeps the header of an answer.
type headerStream struct {
	grpc.ServerTransportStream
	header metadata.MD
}

func (h *headerStream) SetHeader(md metadata.MD) error {
	h.header = metadata.Join(h.header, md)
	return nil
}

// While the accessibility bus does not answer, nothing tells a password field from another: no
// keys are pressed, and a picture says that it may show passwords. A click types nothing.
func TestKeysAreRefusedWhileTheAccessibilityBusIsSilent(t *testing.T) {
	address := deaf(t)
	b := open(t, func(o *backend.Options) { o.Session = address })
	d := desk.Open(t, nil)
	w := terminal(t, b, d, "a letter of a deaf desktop")
	_, err := b.CreateInput(soon(t), typed("hunter2", 0))
	refused(t, "a text", err, codes.Unavailable, "accessibility bus does not answer", "password fields", "; try again in a few seconds")
	frame := w.GetBounds()
	must[*pb.Input](t)(b.CreateInput(soon(t), click(frame.GetX()+frame.GetWidth()/2, frame.GetY()+frame.GetHeight()/2)))
	h := &headerStream{}
	must[*pb.CaptureScreenshotResponse](t)(b.CaptureScreenshot(grpc.NewContextWithServerTransportStream(soon(t), h), &pb.CaptureScreenshotRequest{}))
	if note := strings.Join(h.header.Get(pb.NoteHeader), " "); !strings.Contains(note, "may show passwords") {
		t.Errorf("the picture has the note %q", note)
	}
}
