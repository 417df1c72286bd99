package backend_test

import (
	"strings"
	"testing"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"github.com/jezek/xgb/xproto"
	"google.golang.org/grpc/codes"

	"goated/internal/waittest"
	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/x11/wire"
)

// anonymous opens windows that name no process.
func anonymous(t *testing.T) (open func(title, kind string)) {
	t.Helper()
	desk.Need(t)
	c, err := wire.Dial(t.Context(), wire.Options{Display: desk.Display, Authority: desk.Authority()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return func(title, kind string) {
		t.Helper()
		w, err := xproto.NewWindowId(c.X)
		if err != nil {
			t.Fatal(err)
		}
		xproto.CreateWindow(c.X, 0, w, c.Root, 0, 0, 100, 80, 0, xproto.WindowClassInputOutput, 0, 0, nil)
		for name, text := range map[xproto.Atom]string{xproto.AtomWmName: title, xproto.AtomWmClass: "anonymous\x00Anonymous\x00"} {
			xproto.ChangeProperty(c.X, xproto.PropModeReplace, w, name, xproto.AtomString, 8, uint32(len(text)), []byte(text))
		}
		atom := c.Atom("_NET_WM_WINDOW_TYPE_" + kind)
		xproto.ChangeProperty(c.X, xproto.PropModeReplace, w, c.Atom("_NET_WM_WINDOW_TYPE"), xproto.AtomAtom, 32, 1, []byte{byte(atom), byte(atom >> 8), byte(atom >> 16), byte(atom >> 24)})
		xproto.MapWindow(c.X, w)
		if err := c.Sync(); err != nil {
			t.Fatal(err)
		}
	}
}

// applications/0 stands for the windows that name no process, not for all windows. An input for it
// reaches no other window, and an observation of it reports no other.
func TestWindowsWithoutAProcess(t *testing.T) {
	b, d := open(t, nil), desk.Open(t, nil)
	terminal(t, b, d, "with a process", "sh", "-c", "stty -echo; cat >/dev/null")
	app := application(0)
	in := func(r *pb.CreateInputRequest) error {
		r.Parent = app
		return second(b.CreateInput(soon(t), r))
	}
	kinds := []pb.ObservationType{pb.ObservationType_OBSERVATION_TYPE_WINDOW_CHANGES, pb.ObservationType_OBSERVATION_TYPE_APPLICATION_CHANGES}
	observe := func(kind pb.ObservationType) (*longrunningpb.Operation, error) {
		return b.CreateObservation(t.Context(), &pb.CreateObservationRequest{Parent: app, Observation: &pb.Observation{Type: kind}})
	}
	refused(t, "a text", in(typed("x", 0)), codes.NotFound, "no visible window")
	refused(t, "a key", in(key("a")), codes.NotFound, "no visible window")
	refused(t, "a click", in(click(20, 20)), codes.FailedPrecondition)
	refused(t, "their list", second(b.ListWindows(soon(t), &pb.ListWindowsRequest{Parent: app})), codes.NotFound)
	refused(t, "an observation", second(observe(kinds[0])), codes.NotFound)

	show := anonymous(t)
	show("first without", "NORMAL")
	desk.Window(t, d, "first without")
	if err := in(typed("x", 0)); err != nil {
		t.Error(err)
	}
	var events []chan *pb.ObservationEvent
	for _, kind := range kinds {
		o, err := observe(kind)
		observed := result(t, b, o, err, new(pb.Observation))
		sent := &stream{ctx: t.Context(), events: make(chan *pb.ObservationEvent, 1000)}
		go func() { _ = b.StreamObservations(&pb.StreamObservationsRequest{Name: observed.GetName()}, sent) }()
		events = append(events, sent.events)
	}
	terminal(t, b, d, "another with a process", "sh", "-c", "stty -echo; cat >/dev/null")
	if e := waittest.Receive(t, "the focus is gone", events[1]).GetApplicationEvent(); e.GetEventType() != pb.ApplicationEvent_APPLICATION_EVENT_TYPE_DEACTIVATED {
		t.Errorf("the first event is %v", e)
	}
	if err := in(typed("x", 0)); err != nil {
		t.Error(err)
	}
	if w, ok, err := d.Focused(); err != nil || !ok || w.PID != 0 {
		t.Errorf("the text went to %+v (%v)", w, err)
	}
	if e := waittest.Receive(t, "the focus is back", events[1]).GetApplicationEvent(); e.GetEventType() != pb.ApplicationEvent_APPLICATION_EVENT_TYPE_ACTIVATED {
		t.Errorf("the second event is %v", e)
	}
	show("second without", "NORMAL")
	desk.Window(t, d, "second without")
	for e := (*pb.WindowEvent)(nil); e.GetTitle() != "second without"; {
		if e = waittest.Receive(t, "the second window", events[0]).GetWindowEvent(); parent(e.GetWindowId()) != app {
			t.Fatalf("an event of another window: %v", e)
		}
	}
}

// The journal names the window that an input reaches: that of its process, not the focused one, and
// that at the pointer for a scroll. A panel without a process is no window that receives keys.
func TestTheJournalNamesTheWindowThatIsReached(t *testing.T) {
	folder := t.TempDir()
	b, d := open(t, func(o *backend.Options) { o.Folder = folder }), desk.Open(t, nil)
	check := func(what, want string) {
		t.Helper()
		if e := last(t, folder); !strings.Contains(e.Target, want) || !strings.Contains(e.Before, want) {
			t.Errorf("%s: the target is %q, and before is %q, want %q", what, e.Target, e.Before, want)
		}
	}
	anonymous(t)("a panel", "DOCK")
	desk.Until(t, "panel alone", func() bool {
		list := must[*pb.ListWindowsResponse](t)(b.ListWindows(soon(t), &pb.ListWindowsRequest{Parent: "applications/-"})).GetWindows()
		return len(list) == 1 && list[0].GetTitle() == "a panel" && list[0].GetVisible()
	})
	must[*pb.Input](t)(b.CreateInput(soon(t), typed("hunter2", 0)))
	if e := last(t, folder); e.Target != "the desktop" || !e.Redacted {
		t.Errorf("text for nobody: the target is %q, and before is %q", e.Target, e.Before)
	}

	mine := terminal(t, b, d, "the one", "sh", "-c", "stty -echo; cat >/dev/null")
	must[*pb.Window](t)(b.MoveWindow(soon(t), &pb.MoveWindowRequest{Name: mine.GetName(), X: 10, Y: 120}))
	terminal(t, b, d, "the other", "sh", "-c", "stty -echo; cat >/dev/null")
	at := must[*pb.Window](t)(b.GetWindow(soon(t), &pb.GetWindowRequest{Name: mine.GetName()})).GetBounds()
	position := &pb.Point{X: at.GetX() + 5, Y: at.GetY() + at.GetHeight()/2}
	desk.Until(t, "place of the one window", func() bool {
		w, ok, err := d.At(int(position.GetX()), int(position.GetY()))
		return err == nil && ok && w.Title == "the one"
	})
	must[*pb.Input](t)(b.CreateInput(soon(t), action(&pb.InputAction{InputType: &pb.InputAction_MoveMouse{MoveMouse: &pb.MouseMove{Position: position}}})))
	must[*pb.Input](t)(b.CreateInput(soon(t), action(&pb.InputAction{InputType: &pb.InputAction_Scroll{Scroll: &pb.Scroll{Vertical: 1}}})))
	check("a scroll at the pointer", `"the one"`)
	must[*pb.Input](t)(b.CreateInput(soon(t), key("a")))
	check("a key for any process", `"the other"`)
	r := key("a")
	r.Parent = parent(mine.GetName())
	must[*pb.Input](t)(b.CreateInput(soon(t), r))
	check("a key for the one", `"the one"`)
}
