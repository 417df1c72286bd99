package backend_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"goated/internal/bustest"
	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/portal/portaltest"
)

// A deafBus is an accessibility bus that is on but does not report its address.
type deafBus struct {
	free <-chan struct{} // it answers nothing until free closes; nil: it answers at once
}

func (d deafBus) Get(string, string) (dbus.Variant, *dbus.Error) {
	if d.free != nil {
		<-d.free
	}
	return dbus.MakeVariant(true), nil
}

func (deafBus) GetAddress() (string, *dbus.Error) {
	return "", dbus.MakeFailedError(context.DeadlineExceeded)
}

// deaf starts a session bus that has a deafBus.
func deaf(t *testing.T) (address string) {
	t.Helper()
	address = bustest.Start(t)
	provide(t, address, deafBus{})
	return address
}

// provide adds a deafBus to a session bus.
func provide(t *testing.T, address string, d deafBus) {
	t.Helper()
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	for _, face := range []string{"org.freedesktop.DBus.Properties", "org.a11y.Bus"} {
		if err := conn.Export(d, "/org/a11y/bus", face); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := conn.RequestName("org.a11y.Bus", 0); err != nil {
		t.Fatal(err)
	}
}

// A headerStream keeps the header of a reply.
type headerStream struct {
	grpc.ServerTransportStream
	header metadata.MD
}

func (h *headerStream) SetHeader(md metadata.MD) error {
	h.header = metadata.Join(h.header, md)
	return nil
}

// While the accessibility bus does not answer, nothing distinguishes a password field from other
// fields. So the backend presses no keys, and a picture comes with the remark that it may show
// passwords. A plain click still works, because it types nothing.
func TestKeysAreRefusedWhileTheAccessibilityBusIsSilent(t *testing.T) {
	address := deaf(t)
	b := open(t, func(o *backend.Options) { o.Session = address })
	d := desk.Open(t, nil)
	w := terminal(t, b, d, "a letter of a deaf desktop")
	_, err := b.CreateInput(soon(t), typed("hunter2", 0))
	refused(t, "a text", err, codes.Unavailable, "accessibility bus does not answer", "password fields", "; try again in a few seconds", "log in again", "the hidden desktop")
	frame := w.GetBounds()
	must[*pb.Input](t)(b.CreateInput(soon(t), click(frame.GetX()+frame.GetWidth()/2, frame.GetY()+frame.GetHeight()/2)))
	x, y := frame.GetX()+frame.GetWidth()/2, frame.GetY()+frame.GetHeight()/2
	for what, in := range map[string]*pb.CreateInputRequest{
		"a middle click": {Input: &pb.Input{Action: &pb.InputAction{InputType: &pb.InputAction_Click{Click: &pb.MouseClick{
			Position: &pb.Point{X: x, Y: y}, ClickType: pb.MouseClick_CLICK_TYPE_MIDDLE}}}}},
		"a drag": {Input: &pb.Input{Action: &pb.InputAction{InputType: &pb.InputAction_Drag{Drag: &pb.MouseDrag{
			StartPosition: &pb.Point{X: x, Y: y}, EndPosition: &pb.Point{X: x + 9, Y: y}}}}}},
	} {
		_, err := b.CreateInput(soon(t), in)
		refused(t, what, err, codes.Unavailable, "accessibility bus does not answer")
	}
	h := &headerStream{}
	must[*pb.CaptureScreenshotResponse](t)(b.CaptureScreenshot(grpc.NewContextWithServerTransportStream(soon(t), h), &pb.CaptureScreenshotRequest{}))
	if note := strings.Join(h.header.Get(pb.NoteHeader), " "); !strings.Contains(note, "may show passwords") {
		t.Errorf("the picture has the note %q", note)
	}
}

// waylandOn opens a Wayland session with the portals on a session bus.
func waylandOn(t *testing.T, address string) *backend.Backend {
	t.Helper()
	p := &portaltest.Portal{Keyboard: func() (uint32, uint32) { return portaltest.Agree, 7 }}
	conn, err := p.Serve(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	env := map[string]string{"WAYLAND_DISPLAY": "wayland-0"}
	b, err := backend.New(t.Context(), backend.Options{Session: address, Getenv: func(k string) string { return env[k] }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// On Wayland, accessibility also reports which window has the keyboard focus. A slow bus delays an
// input by only two seconds, and the error reports that no key was pressed, and why.
func TestWaylandKeysAreRefusedSoonWhileTheBusIsSilent(t *testing.T) {
	address, free := bustest.Start(t), make(chan struct{})
	defer close(free)
	provide(t, address, deafBus{free})
	b := waylandOn(t, address)
	began := time.Now()
	for range 2 {
		_, err := b.CreateInput(soon(t), typed("hunter2", 0))
		refused(t, "a text", err, codes.Unavailable, "accessibility bus does not answer", "; try again in a few seconds")
		if said := status.Convert(err).Message(); strings.Contains(said, "after 0") || strings.Contains(said, "desc =") {
			t.Errorf("it says %q", said)
		}
	}
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("it takes %v", took)
	}
}

// Without accessibility, neither presses nor keys work on Wayland. The error advises what helps,
// and does not advise coordinates, which do not work there.
func TestWaylandWithoutAccessibilityAdvisesWhatHelps(t *testing.T) {
	b := waylandOn(t, bustest.Start(t))
	for what, err := range map[string]error{
		"keys":     second(b.CreateInput(soon(t), typed("a", 0))),
		"elements": second(b.FindElements(soon(t), &pb.FindElementsRequest{Parent: application(1), Selector: role("button")})),
	} {
		refused(t, what, err, codes.FailedPrecondition, "no accessibility bus", "hidden desktop", "X11 session")
		if strings.Contains(err.Error(), "coordinates") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A program without elements cannot be clicked by coordinates on Wayland, so the error does not
// advise that.
func TestWaylandAdvisesNoCoordinates(t *testing.T) {
	_, b := openWayland(t)
	_, err := b.FindElements(soon(t), &pb.FindElementsRequest{Parent: application(1), Selector: role("button")})
	refused(t, "elements of a program that shows none", err, codes.FailedPrecondition, "shows no elements", "no program click by coordinates", "Ask the user", "hidden desktop")
	if strings.Contains(err.Error(), "screenshot") {
		t.Error(err)
	}
}
