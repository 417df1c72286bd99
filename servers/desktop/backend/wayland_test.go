package backend_test

import (
	"bufio"
	"image"
	"image/png"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc/codes"

	"goated/servers/desktop/atspi/privatebus"
	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/portal/portaltest"
)

// A waylandDesk is a Wayland session with simulated portals.
type waylandDesk struct {
	buses  *privatebus.Bus
	portal *portaltest.Portal

	mu    sync.Mutex
	typed []uint32 // pressed keys
	asked int
	send  func(line string) // sends a line to the last program without waiting

	picture string // file that the user chooses
}

func openWayland(t *testing.T, change ...func(*waylandDesk, *backend.Options)) (*waylandDesk, *backend.Backend) {
	t.Helper()
	buses, err := privatebus.Start(t.Context(), os.Environ())
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(buses.Close)
	w := &waylandDesk{buses: buses}
	w.portal = &portaltest.Portal{
		Keyboard: func() (uint32, uint32) { w.mu.Lock(); defer w.mu.Unlock(); w.asked++; return portaltest.Agree, 7 },
		Picture: func() (uint32, string) {
			w.mu.Lock()
			defer w.mu.Unlock()
			return portaltest.Agree, (&url.URL{Scheme: "file", Path: w.picture}).String()
		},
		Pressed: func(k portaltest.Key) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if k.Down {
				w.typed = append(w.typed, k.Sym)
			}
		},
	}
	env := map[string]string{"WAYLAND_DISPLAY": "wayland-0", "XDG_SESSION_TYPE": "wayland", "DISPLAY": ":0"}
	o := backend.Options{Session: buses.Session, Getenv: func(k string) string { return env[k] }}
	for _, f := range change {
		f(w, &o)
	}
	// The simulated portals run in this process. It counts as goated's own, so the dialogs are
	// protected twice.
	conn, err := w.portal.Serve(buses.Session)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	b, err := backend.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = b.Close()
		if f := w.portal.Faults(); len(f) > 0 {
			t.Errorf("the portal complains: %v", f)
		}
	})
	return w, b
}

// run starts a program in the session. say sends a line to the program and waits until it has
// obeyed.
func (w *waylandDesk) run(t *testing.T, title string) (name string, say func(string)) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(w.buses.Environ(os.Environ()), envProgram+"="+title)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	answers := bufio.NewReader(out)
	wait := func() {
		t.Helper()
		if _, err := answers.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	wait()
	send := func(line string) {
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Error(err)
		}
	}
	w.mu.Lock()
	w.send = send
	w.mu.Unlock()
	return application(cmd.Process.Pid), func(line string) {
		t.Helper()
		send(line)
		wait()
	}
}

func (w *waylandDesk) keys() []uint32 {
	w.mu.Lock()
	defer w.mu.Unlock()
	typed := slices.DeleteFunc(slices.Clone(w.typed), func(s uint32) bool { return s == 0xffe1 })
	w.typed = nil
	return typed
}

// TestWayland works in a Wayland session, with elements and windows over accessibility, and keys
// and pictures through the portals. It types nothing unless a program reports that it has the
// focus.
func TestWayland(t *testing.T) {
	w, b := openWayland(t)
	ctx := soon(t)
	form, say := w.run(t, "Form")
	other, sayOther := w.run(t, "xterm") // counts as a terminal because of its name
	if got := b.Workplace(); got != "a Wayland session" {
		t.Error(got)
	}

	list := must[*pb.ListWindowsResponse](t)(b.ListWindows(ctx, &pb.ListWindowsRequest{Parent: "applications/-", OrderBy: "title"})).GetWindows()
	if len(list) != 2 || list[0].GetTitle() != "Form" || list[0].GetBounds() != nil || !list[0].GetVisible() || parent(list[0].GetName()) != form {
		t.Fatalf("%v", list)
	}
	window := list[0].GetName()
	if got := must[*pb.Window](t)(b.GetWindow(ctx, &pb.GetWindowRequest{Name: window})); got.GetTitle() != "Form" {
		t.Error(got)
	}
	find := func(parent, role string) *pb.Element {
		t.Helper()
		found := must[*pb.FindElementsResponse](t)(b.FindElements(ctx, &pb.FindElementsRequest{Parent: parent, VisibleOnly: true,
			Selector: &pb.ElementSelector{Criteria: &pb.ElementSelector_Role{Role: role}}})).GetElements()
		if len(found) != 1 {
			t.Fatalf("%d of role %s", len(found), role)
		}
		return found[0]
	}
	entry := find(window, "entry")
	if entry.X != nil { // applications do not know the positions of their windows
		t.Errorf("the entry has a place: %v", entry)
	}
	emptyAgain(t, w, b, form, entry.GetElementId())
	written := must[*pb.WriteElementValueResponse](t)(b.WriteElementValue(ctx, &pb.WriteElementValueRequest{Parent: form,
		Target: &pb.WriteElementValueRequest_ElementId{ElementId: entry.GetElementId()}, Value: "naïve 日本語 🙂"}))
	if written.GetElement().GetText() != "naïve 日本語 🙂" {
		t.Errorf("%v", written)
	}
	must[*pb.ClickElementResponse](t)(b.ClickElement(ctx, &pb.ClickElementRequest{Parent: form, Target: &pb.ClickElementRequest_ElementId{ElementId: find(form, "push button").GetElementId()}}))
	if got := find(form, "entry").GetText(); got != "sent" {
		t.Errorf("after the press: %q", got)
	}

	// Keys need an application that reports that it has the focus. goated never does.
	input := func(r *pb.CreateInputRequest, parent string) error {
		r.Parent = parent
		_, err := b.CreateInput(ctx, r)
		return err
	}
	refused(t, "keys for nobody", input(typed("a", 0), ""), codes.PermissionDenied, "goated itself")
	say("active")
	if err := input(typed("aß日🙂\t", 0), form); err != nil {
		t.Fatal(err)
	}
	if got := w.keys(); !slices.Equal(got, []uint32{'a', 'ß', 0x01000000 | '日', 0x01000000 | '🙂', 0xff09}) {
		t.Errorf("typed %x", got)
	}
	if err := input(key("s", pb.KeyPress_MODIFIER_CONTROL), form); err != nil {
		t.Fatal(err)
	}
	if got := w.keys(); !slices.Equal(got, []uint32{0xffe3, 's'}) {
		t.Errorf("pressed %x", got)
	}
	refused(t, "keys for another program", input(key("a"), other), codes.FailedPrecondition, "Form")
	sayOther("active")
	refused(t, "two windows with the keys", input(key("a"), ""), codes.PermissionDenied, "several")
	say("idle")
	refused(t, "a terminal", input(key("a"), ""), codes.PermissionDenied, "terminal")
	refused(t, "an element of a terminal", second(b.WriteElementValue(ctx, &pb.WriteElementValueRequest{Parent: other,
		Target: &pb.WriteElementValueRequest_ElementId{ElementId: find(other, "entry").GetElementId()}, Value: "rm"})), codes.PermissionDenied, "shell")
	sayOther("idle")
	say("active")
	refused(t, "a chord that ends the session", input(key("ctrl+alt+Delete"), ""), codes.PermissionDenied, "session")
	if got := w.keys(); len(got) > 0 {
		t.Errorf("refused keys arrived: %x", got)
	}
	b.Halt()
	if err := input(key("a"), ""); err == nil || len(w.keys()) > 0 {
		t.Errorf("a key after the halt: %v", err)
	}
	b.Resume()
	w.mu.Lock()
	if w.asked != 1 {
		t.Errorf("the user was asked %d times", w.asked)
	}
	w.mu.Unlock()
}

// TestWaylandCannotConsent keeps a model away from the dialogs in which the desktop asks the user
// whether goated may press keys.
func TestWaylandCannotConsent(t *testing.T) {
	w, b := openWayland(t)
	ctx := soon(t)
	_, _ = w.run(t, "Form")
	dialog, say := w.run(t, asking)
	say("active")
	desk.Until(t, "the dialog out of reach", func() bool {
		return len(must[*pb.ListWindowsResponse](t)(b.ListWindows(ctx, &pb.ListWindowsRequest{Parent: "applications/-"})).GetWindows()) == 1
	})
	for _, a := range must[*pb.ListApplicationsResponse](t)(b.ListApplications(ctx, &pb.ListApplicationsRequest{})).GetApplications() {
		if a.GetName() == dialog {
			t.Errorf("the dialog is listed: %v", a)
		}
	}
	button := &pb.ElementSelector{Criteria: &pb.ElementSelector_Role{Role: "push button"}}
	for what, err := range map[string]error{
		"finding":    second(b.FindElements(ctx, &pb.FindElementsRequest{Parent: dialog})),
		"pressing":   second(b.ClickElement(ctx, &pb.ClickElementRequest{Parent: dialog, Target: &pb.ClickElementRequest_Selector{Selector: button}})),
		"an action":  second(b.PerformElementAction(ctx, &pb.PerformElementActionRequest{Parent: dialog, Action: "click", Target: &pb.PerformElementActionRequest_Selector{Selector: button}})),
		"traversing": second(b.TraverseAccessibility(ctx, &pb.TraverseAccessibilityRequest{Name: dialog})),
		"the key":    second(b.CreateInput(ctx, key("Return"))),
	} {
		refused(t, what, err, codes.PermissionDenied, "refused")
	}
}

// TestWaylandPicture takes the picture that the user chooses.
func TestWaylandPicture(t *testing.T) {
	w, b := openWayland(t)
	path := filepath.Join(t.TempDir(), "x.png")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	m := image.NewRGBA(image.Rect(0, 0, 3, 2))
	copy(m.Pix, []byte{250, 100, 10, 255})
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	w.mu.Lock()
	w.picture = path
	w.mu.Unlock()
	shot := must[*pb.CaptureScreenshotResponse](t)(b.CaptureScreenshot(soon(t), &pb.CaptureScreenshotRequest{}))
	got, err := png.Decode(strings.NewReader(string(shot.GetImageData())))
	if err != nil || shot.GetWidth() != 3 || shot.GetHeight() != 2 {
		t.Fatalf("%v, %v", shot, err)
	}
	if r, g, b, _ := got.At(0, 0).RGBA(); r>>8 != 250 || g>>8 != 100 || b>>8 != 10 {
		t.Errorf("the first pixel is %d, %d, %d", r>>8, g>>8, b>>8)
	}
}

// TestWaylandIsHonest checks that each method that Wayland does not allow reports the reason and
// what the user can do.
func TestWaylandIsHonest(t *testing.T) {
	w, b := openWayland(t)
	ctx := soon(t)
	form, _ := w.run(t, "Form")
	window := must[*pb.ListWindowsResponse](t)(b.ListWindows(ctx, &pb.ListWindowsRequest{Parent: form})).GetWindows()[0].GetName()
	region := &pb.Region{Width: 10, Height: 10}
	for what, err := range map[string]error{
		"focus":          second(b.FocusWindow(ctx, &pb.FocusWindowRequest{Name: window})),
		"move":           second(b.MoveWindow(ctx, &pb.MoveWindowRequest{Name: window})),
		"resize":         second(b.ResizeWindow(ctx, &pb.ResizeWindowRequest{Name: window, Width: 9, Height: 9})),
		"minimise":       second(b.MinimizeWindow(ctx, &pb.MinimizeWindowRequest{Name: window})),
		"restore":        second(b.RestoreWindow(ctx, &pb.RestoreWindowRequest{Name: window})),
		"close":          second(b.CloseWindow(ctx, &pb.CloseWindowRequest{Name: window})),
		"displays":       second(b.ListDisplays(ctx, &pb.ListDisplaysRequest{})),
		"cursor":         second(b.CaptureCursorPosition(ctx, &pb.CaptureCursorPositionRequest{})),
		"window picture": second(b.CaptureWindowScreenshot(ctx, &pb.CaptureWindowScreenshotRequest{Window: window})),
		"region picture": second(b.CaptureRegionScreenshot(ctx, &pb.CaptureRegionScreenshotRequest{Region: region})),
		"elements there": second(b.FindRegionElements(ctx, &pb.FindRegionElementsRequest{Parent: form, Region: region})),
		"window events": second(b.CreateObservation(ctx, &pb.CreateObservationRequest{Parent: form,
			Observation: &pb.Observation{Type: pb.ObservationType_OBSERVATION_TYPE_WINDOW_CHANGES}})),
	} {
		refused(t, what, err, codes.Unimplemented, "Wayland session", "hidden desktop", "X11 session")
	}
}

// TestWaylandIsFound distinguishes a Wayland session from an X11 session, even if it was started on
// a console and X programs have a display there.
func TestWaylandIsFound(t *testing.T) {
	for _, test := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"XDG_SESSION_TYPE": "wayland"}, "a Wayland session"},
		{map[string]string{"WAYLAND_DISPLAY": "wayland-1", "DISPLAY": ":0", "XDG_SESSION_TYPE": "tty"}, "a Wayland session"},
		{map[string]string{"WAYLAND_DISPLAY": "wayland-1", "DISPLAY": ":0"}, "a Wayland session"},
		{map[string]string{"WAYLAND_DISPLAY": "wayland-1"}, "a Wayland session"},
		{map[string]string{"WAYLAND_DISPLAY": "nested", "XDG_SESSION_TYPE": "x11"}, ""},
	} {
		b, err := backend.New(t.Context(), backend.Options{Session: "unix:path=/nowhere", Getenv: func(k string) string { return test.env[k] }})
		if err != nil && test.want == "" { // the environment's X11 display, which tests do not have
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := b.Workplace(); (got == "a Wayland session") != (test.want != "") {
			t.Errorf("%v: %s", test.env, got)
		}
		_ = b.Close()
	}
}
