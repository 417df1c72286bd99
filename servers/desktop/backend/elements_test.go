package backend_test

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	"goated/servers/desktop/apps"
	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/x11/hidden"
)

// workplace opens a hidden desktop with elements and starts a program on it.
func workplace(t testing.TB, program string) (*backend.Backend, *pb.Application) {
	t.Helper()
	desk.Need(t, program, "dbus-daemon")
	b, err := backend.New(t.Context(), backend.Options{Hidden: &hidden.Options{Width: 1000, Height: 700}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	o, err := b.OpenApplication(t.Context(), &pb.OpenApplicationRequest{Id: program})
	return b, result(t, b, o, err, new(pb.OpenApplicationResponse)).GetApplication()
}

func text(s string) *pb.ElementSelector {
	return &pb.ElementSelector{Criteria: &pb.ElementSelector_Text{Text: s}}
}

func role(s string) *pb.ElementSelector {
	return &pb.ElementSelector{Criteria: &pb.ElementSelector_Role{Role: s}}
}

func both(a, b *pb.ElementSelector) *pb.ElementSelector {
	return &pb.ElementSelector{Criteria: &pb.ElementSelector_Compound{Compound: &pb.CompoundSelector{Operator: pb.CompoundSelector_OPERATOR_AND, Selectors: []*pb.ElementSelector{a, b}}}}
}

// TestCalculator computes 12 × 12 through the elements of a GTK calculator.
func TestCalculator(t *testing.T) {
	t.Parallel()
	b, app := workplace(t, "galculator")
	ctx := soon(t)
	press := func(name string) {
		t.Helper()
		must[*pb.ClickElementResponse](t)(b.ClickElement(ctx, &pb.ClickElementRequest{Parent: app.GetName(),
			Target: &pb.ClickElementRequest_Selector{Selector: both(role("toggle button"), text(name))}}))
	}
	found := must[*pb.FindElementsResponse](t)(b.FindElements(ctx, &pb.FindElementsRequest{Parent: app.GetName(), Selector: role("text"), VisibleOnly: true}))
	if len(found.GetElements()) != 1 || found.GetElements()[0].GetText() != "0" {
		t.Fatalf("the display is %v", found)
	}
	display := found.GetElements()[0]
	o, err := b.WaitElementState(ctx, &pb.WaitElementStateRequest{Parent: app.GetName(), Target: &pb.WaitElementStateRequest_ElementId{ElementId: display.GetElementId()},
		Condition: &pb.StateCondition{Condition: &pb.StateCondition_TextEquals{TextEquals: "144"}}, Timeout: 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"1", "2", "*", "1", "2", "="} {
		press(name)
	}
	if e := result(t, b, o, err, new(pb.WaitElementStateResponse)).GetElement(); e.GetText() != "144" {
		t.Errorf("the display is %v", e)
	}

	// The same with the mouse, at the positions of the elements.
	press("AC")
	for _, name := range []string{"7", "8"} {
		e := must[*pb.FindElementsResponse](t)(b.FindElements(ctx, &pb.FindElementsRequest{Parent: app.GetName(), Selector: both(role("toggle button"), text(name))})).GetElements()[0]
		r := click(e.GetX()+e.GetWidth()/2, e.GetY()+e.GetHeight()/2)
		r.Parent = app.GetName()
		must[*pb.Input](t)(b.CreateInput(ctx, r))
		shot := must[*pb.CaptureElementScreenshotResponse](t)(b.CaptureElementScreenshot(ctx, &pb.CaptureElementScreenshotRequest{Parent: app.GetName(), ElementId: e.GetElementId(), Padding: 3}))
		if m, err := png.Decode(bytes.NewReader(shot.GetImageData())); err != nil || float64(m.Bounds().Dx()) != e.GetWidth()+6 {
			t.Errorf("the picture of %v: %v", e, err)
		}
	}
	desk.Until(t, "78 on the display", func() bool {
		e, err := b.GetElement(ctx, &pb.GetElementRequest{Name: app.GetName() + "/elements/" + display.GetElementId()})
		return err == nil && e.GetText() == "78"
	})
	_, err = b.ClickElement(ctx, &pb.ClickElementRequest{Parent: app.GetName(), Target: &pb.ClickElementRequest_Selector{Selector: role("toggle button")}})
	refused(t, "a selector of many elements", err, codes.FailedPrecondition, "choose one")
	_, err = b.ClickElement(ctx, &pb.ClickElementRequest{Parent: app.GetName(), Target: &pb.ClickElementRequest_Selector{Selector: text("nothing")}})
	refused(t, "a selector of no element", err, codes.NotFound)
	_, err = b.GetElement(ctx, &pb.GetElementRequest{Name: app.GetName() + "/elements/e99999"})
	refused(t, "an element that never was", err, codes.NotFound)
	_, err = b.FindElements(ctx, &pb.FindElementsRequest{Parent: "applications/999999999"})
	refused(t, "a process that never was", err, codes.NotFound, "list the applications")
	windows := must[*pb.ListWindowsResponse](t)(b.ListWindows(ctx, &pb.ListWindowsRequest{Parent: app.GetName()})).GetWindows()
	below := must[*pb.FindElementsResponse](t)(b.FindElements(ctx, &pb.FindElementsRequest{Parent: windows[0].GetName(), Selector: text("=")}))
	if len(below.GetElements()) != 1 {
		t.Errorf("the window has %v", below)
	}
	must[*pb.Window](t)(b.MinimizeWindow(ctx, &pb.MinimizeWindowRequest{Name: windows[0].GetName()}))
	_, err = b.ClickElement(ctx, &pb.ClickElementRequest{Parent: app.GetName(), Target: &pb.ClickElementRequest_Selector{Selector: both(role("toggle button"), text("7"))}})
	refused(t, "an element of a minimised window", err, codes.FailedPrecondition, "restore it first") // used to be covered by the edge of the screen
}

// If a selection has no effect, the answer reports it. It used to be just "Done.".
func TestASelectionSaysThatNothingIsSelected(t *testing.T) {
	b, path := open(t, nil), t.TempDir()
	for what, selects := range map[string]func(context.Context) error{
		"file": func(ctx context.Context) error {
			return second(b.SelectFile(ctx, &pb.SelectFileRequest{Application: "applications/1", FilePath: path}))
		},
		"folder": func(ctx context.Context) error {
			return second(b.SelectDirectory(ctx, &pb.SelectDirectoryRequest{Application: "applications/1", DirectoryPath: path}))
		},
	} {
		h := new(headerStream)
		err := selects(grpc.NewContextWithServerTransportStream(soon(t), h))
		if note := strings.Join(h.header.Get(pb.NoteHeader), " "); err != nil || !strings.Contains(note, "Nothing is selected") {
			t.Errorf("%s: %v, with the note %q", what, err, note)
		}
	}
}

// The error for something that does not exist names the list to look at.
func TestWhatDoesNotExistIsToBeListed(t *testing.T) {
	b, ctx := open(t, nil), soon(t)
	const nobody = "applications/999999999"
	for list, err := range map[string]error{
		"list the windows":                         second(b.GetWindow(ctx, &pb.GetWindowRequest{Name: nobody + "/windows/1"})),
		"list the sessions":                        second(b.GetSession(ctx, &pb.GetSessionRequest{Name: "s"})),
		"list the observations of its application": second(b.GetObservation(ctx, &pb.GetObservationRequest{Name: "o"})),
		"list the applications":                    second(b.ListWindows(ctx, &pb.ListWindowsRequest{Parent: nobody})),
		"list the applications.":                   second(b.CreateObservation(ctx, &pb.CreateObservationRequest{Parent: nobody, Observation: &pb.Observation{Type: pb.ObservationType_OBSERVATION_TYPE_WINDOW_CHANGES}})),
		"check the path":                           second(b.SelectFile(ctx, &pb.SelectFileRequest{Application: nobody, FilePath: "/no/file"})),
	} {
		refused(t, list, err, codes.NotFound, "there is no", strings.TrimSuffix(list, "."))
	}
}

// An element of a slow program is not reported as gone. The error reports that the program does not
// answer.
func TestElementOfASlowProgramIsNotGone(t *testing.T) {
	t.Parallel()
	b, app := workplace(t, "galculator")
	ctx := soon(t)
	found := must[*pb.FindElementsResponse](t)(b.FindElements(ctx, &pb.FindElementsRequest{Parent: app.GetName(), Selector: both(role("toggle button"), text("7"))}))
	get := &pb.GetElementRequest{Name: app.GetName() + "/elements/" + found.GetElements()[0].GetElementId()}
	signal := func(name string) {
		if out, err := exec.Command("kill", "-"+name, fmt.Sprint(app.GetPid())).CombinedOutput(); err != nil {
			t.Errorf("kill: %v\n%s", err, out)
		}
	}
	signal("STOP")
	time.Sleep(11 * time.Second) // for 10 seconds, the last tree replaces a late one
	_, err := b.FindElements(ctx, &pb.FindElementsRequest{Parent: app.GetName(), Selector: text("7")})
	refused(t, "the elements of a stopped program", err, codes.DeadlineExceeded, "does not answer")
	_, err = b.GetElement(ctx, get)
	refused(t, "an element of a stopped program", err, codes.DeadlineExceeded, "does not answer")
	signal("CONT")
	desk.Until(t, "the element again", func() bool {
		e, err := b.GetElement(ctx, get)
		return err == nil && e.GetText() == "7"
	})
}

// launched opens a desktop and starts an application on it with a command.
func launched(t testing.TB, program, command string, o backend.Options) (*backend.Backend, *pb.Application) {
	t.Helper()
	desk.Need(t, program, "dbus-daemon")
	data := t.TempDir()
	if err := os.MkdirAll(filepath.Join(data, "applications"), 0o700); err != nil {
		t.Fatal(err)
	}
	entry := "[Desktop Entry]\nType=Application\nName=Launched\nExec=" + command + "\n"
	if err := os.WriteFile(filepath.Join(data, "applications", "launched.desktop"), []byte(entry), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Getenv = func(name string) string {
		switch name {
		case "XDG_DATA_HOME":
			return data
		case "DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE": // the user has no display
			return ""
		}
		return os.Getenv(name)
	}
	b, err := backend.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	operation, err := b.OpenApplication(t.Context(), &pb.OpenApplicationRequest{Id: "launched"})
	return b, result(t, b, operation, err, new(pb.OpenApplicationResponse)).GetApplication()
}

// A menu of a terminal pastes a command, which the terminal runs. So its elements can be read, but
// not pressed or filled in, unless the user allows shell commands.
func TestElementsOfTerminalsAreOnlyRead(t *testing.T) {
	t.Parallel()
	b, opened := launched(t, "galculator", "galculator --class=Xfce4-terminal", backend.Options{Hidden: &hidden.Options{Width: 1000, Height: 700}, Sign: true})
	ctx, app := soon(t), opened.GetName()
	e := placed(t, b, app, both(role("toggle button"), text("7")))
	id := e.GetElementId()
	_, err := b.ClickElement(ctx, &pb.ClickElementRequest{Parent: app, Target: &pb.ClickElementRequest_ElementId{ElementId: id}})
	refused(t, "a press", err, codes.PermissionDenied, "shell commands and scripts")
	_, err = b.PerformElementAction(ctx, &pb.PerformElementActionRequest{Parent: app, Target: &pb.PerformElementActionRequest_ElementId{ElementId: id}, Action: "click"})
	refused(t, "an action", err, codes.PermissionDenied, "shell commands and scripts")
	_, err = b.WriteElementValue(ctx, &pb.WriteElementValueRequest{Parent: app, Target: &pb.WriteElementValueRequest_ElementId{ElementId: id}, Value: "x"})
	refused(t, "a text", err, codes.PermissionDenied, "shell commands and scripts")
	_, err = b.CreateInput(ctx, click(e.GetX()+5, e.GetY()+5))
	refused(t, "a click", err, codes.PermissionDenied, "shell commands and scripts")
	must[*pb.Input](t)(b.CreateInput(ctx, action(&pb.InputAction{InputType: &pb.InputAction_MoveMouse{MoveMouse: &pb.MouseMove{Position: &pb.Point{X: e.GetX() + 5, Y: e.GetY() + 5}}}})))
}

// No process that was started on a hidden desktop survives it, whether or not it has a window
// there.
func TestProgramsEndWithTheHiddenDesktop(t *testing.T) {
	t.Parallel()
	pids := filepath.Join(t.TempDir(), "pid")
	b, _ := launched(t, "galculator", "sh -c \"sleep 1000 & echo $! >"+pids+"; exec galculator\"", backend.Options{Hidden: &hidden.Options{Width: 1000, Height: 700}})
	_ = b.Close()
	text, _ := os.ReadFile(pids)
	if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err != nil || apps.Running(pid) {
		t.Errorf("process %s goes on: %v", text, err)
	}
}

// A session without an accessibility bus is not a fault of the server. The error advises what works
// instead. Windows, input and pictures still work.
func TestASessionWithoutElements(t *testing.T) {
	d := desk.Open(t, nil)
	b := open(t, func(o *backend.Options) { o.Session = "unix:path=" + filepath.Join(t.TempDir(), "no-bus") })
	ctx := soon(t)
	w := terminal(t, b, d, "without elements")
	app := parent(w.GetName())
	_, err := b.FindElements(ctx, &pb.FindElementsRequest{Parent: app, Selector: role("button")})
	refused(t, "finding", err, codes.FailedPrecondition, "no accessibility bus", "screenshots with coordinates")
	_, err = b.ClickElement(ctx, &pb.ClickElementRequest{Parent: app, Target: &pb.ClickElementRequest_Selector{Selector: role("button")}})
	refused(t, "pressing", err, codes.FailedPrecondition, "screenshots with coordinates")
	must[*pb.Input](t)(b.CreateInput(ctx, key("a")))
	must[*pb.CaptureWindowScreenshotResponse](t)(b.CaptureWindowScreenshot(ctx, &pb.CaptureWindowScreenshotRequest{Window: w.GetName()}))
}
