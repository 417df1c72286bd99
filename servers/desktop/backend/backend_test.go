package backend_test

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"goated/internal/waittest"
	"goated/servers/desktop/backend"
	"goated/servers/desktop/guard"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/x11"
)

func application(pid int) string { return fmt.Sprintf("applications/%d", pid) }

func TestWindows(t *testing.T) {
	d := desk.Open(t, nil)
	folder := t.TempDir()
	b := open(t, func(o *backend.Options) { o.Folder = folder })
	ctx := soon(t)
	w := terminal(t, b, d, "over the protocol")
	s := must[*pb.Session](t)(b.CreateSession(ctx, &pb.CreateSessionRequest{SessionId: "windows"}))
	begun := must[*pb.BeginTransactionResponse](t)(b.BeginTransaction(ctx, &pb.BeginTransactionRequest{Session: s.GetName()}))
	watch := &pb.CreateObservationRequest{Parent: parent(w.GetName()), ObservationId: "seen", Observation: &pb.Observation{Type: pb.ObservationType_OBSERVATION_TYPE_WINDOW_CHANGES}}
	must[*longrunningpb.Operation](t)(b.CreateObservation(ctx, watch))

	moved := must[*pb.Window](t)(b.MoveWindow(ctx, &pb.MoveWindowRequest{Name: w.GetName(), X: 222, Y: 111}))
	if moved.GetBounds().GetX() != 222 || moved.GetBounds().GetY() != 111 {
		t.Errorf("moved to %v", moved.GetBounds())
	}
	sized := must[*pb.Window](t)(b.ResizeWindow(ctx, &pb.ResizeWindowRequest{Name: w.GetName(), Width: 444, Height: 333}))
	if g := sized.GetBounds(); g.GetWidth() > 444 || g.GetWidth() < 430 || g.GetHeight() > 333 || g.GetHeight() < 310 {
		t.Errorf("resized to %v", g)
	}
	if m := must[*pb.Window](t)(b.MinimizeWindow(ctx, &pb.MinimizeWindowRequest{Name: w.GetName()})); m.GetVisible() {
		t.Errorf("minimised: %v", m)
	}
	state := must[*pb.WindowState](t)(b.GetWindowState(ctx, &pb.GetWindowStateRequest{Name: w.GetName() + "/state"}))
	if !state.GetMinimized() || !state.GetResizable() || !state.GetClosable() || state.GetFocused() {
		t.Errorf("%v", state)
	}
	if m := must[*pb.Window](t)(b.RestoreWindow(ctx, &pb.RestoreWindowRequest{Name: w.GetName()})); !m.GetVisible() {
		t.Errorf("restored: %v", m)
	}
	must[*pb.Window](t)(b.FocusWindow(ctx, &pb.FocusWindowRequest{Name: w.GetName()}))
	if _, err := b.RollbackTransaction(ctx, &pb.RollbackTransactionRequest{Name: s.GetName(), TransactionId: begun.GetTransactionId()}); err != nil {
		t.Error(err)
	}
	back := must[*pb.Window](t)(b.GetWindow(ctx, &pb.GetWindowRequest{Name: w.GetName()}))
	if back.GetBounds().String() != w.GetBounds().String() {
		t.Errorf("rolled back to %v, want %v", back.GetBounds(), w.GetBounds())
	}
	part := must[*pb.Window](t)(b.GetWindow(ctx, &pb.GetWindowRequest{Name: w.GetName(), ReadMask: &fieldmaskpb.FieldMask{Paths: []string{"title"}}}))
	if part.GetTitle() == "" || part.GetName() != "" {
		t.Errorf("masked: %v", part)
	}
	apps := must[*pb.ListApplicationsResponse](t)(b.ListApplications(ctx, &pb.ListApplicationsRequest{Filter: `display_name = "XTerm"`, OrderBy: "pid desc"}))
	if len(apps.GetApplications()) != 1 || apps.GetApplications()[0].GetName() != parent(w.GetName()) {
		t.Errorf("%v", apps)
	}
	macro := must[*pb.Macro](t)(b.CreateMacro(ctx, &pb.CreateMacroRequest{Macro: &pb.Macro{DisplayName: "Wait", Actions: []*pb.MacroAction{{Action: &pb.MacroAction_Wait{Wait: &pb.WaitAction{}}}}}}))
	h := new(headerStream)
	with := grpc.NewContextWithServerTransportStream(ctx, h)
	must[*emptypb.Empty](t)(b.DeleteMacro(with, &pb.DeleteMacroRequest{Name: macro.GetName(), Force: true}))
	must[*emptypb.Empty](t)(b.DeleteApplication(with, &pb.DeleteApplicationRequest{Name: parent(w.GetName()), Force: true}))
	if notes := h.header.Get(pb.NoteHeader); len(notes) != 2 || !strings.Contains(notes[0], "force had no effect, because a macro") || !strings.Contains(notes[1], "force had no effect, because an application") {
		t.Errorf("about force: %q", notes)
	}
	closed := must[*pb.CloseWindowResponse](t)(b.CloseWindow(ctx, &pb.CloseWindowRequest{Name: w.GetName()}))
	if !closed.GetSuccess() {
		t.Error(closed)
	}
	_, err := b.GetWindow(ctx, &pb.GetWindowRequest{Name: w.GetName()})
	refused(t, "a closed window", err, codes.NotFound)
	snapshot := must[*pb.SessionSnapshot](t)(b.GetSessionSnapshot(ctx, &pb.GetSessionSnapshotRequest{Name: s.GetName()}))
	if app := parent(w.GetName()); len(snapshot.GetHistory()) < 6 || !slices.Equal(snapshot.GetApplications(), []string{app}) || !slices.Equal(snapshot.GetObservations(), []string{app + "/observations/seen"}) {
		t.Errorf("the session remembers %v", snapshot)
	}
	record, err := os.ReadFile(filepath.Join(folder, backend.JournalFile))
	for _, part := range []string{`"method":"RollbackTransaction"`, `"app":"xterm"`, `"window":"over the protocol"`} {
		if err != nil || !strings.Contains(string(record), part) {
			t.Errorf("the journal has no %s: %v", part, err)
		}
	}
}

func TestFaultsOfTheCaller(t *testing.T) {
	b := open(t, nil)
	ctx := soon(t)
	call := func(_ any, err error) error { return err }
	nowhere := "applications/999999999"
	for name, c := range map[string]struct {
		err  error
		code codes.Code
	}{
		"window name":     {call(b.GetWindow(ctx, &pb.GetWindowRequest{Name: "windows/1"})), codes.InvalidArgument},
		"window":          {call(b.FocusWindow(ctx, &pb.FocusWindowRequest{Name: nowhere + "/windows/1"})), codes.NotFound},
		"size":            {call(b.ResizeWindow(ctx, &pb.ResizeWindowRequest{Name: nowhere + "/windows/1", Width: -1})), codes.InvalidArgument},
		"application":     {call(b.GetApplication(ctx, &pb.GetApplicationRequest{Name: nowhere})), codes.NotFound},
		"no application":  {call(b.OpenApplication(ctx, &pb.OpenApplicationRequest{})), codes.InvalidArgument},
		"order":           {call(b.ListWindows(ctx, &pb.ListWindowsRequest{Parent: nowhere, OrderBy: "colour"})), codes.InvalidArgument},
		"filter":          {call(b.ListWindows(ctx, &pb.ListWindowsRequest{Parent: nowhere, Filter: "colour = 1"})), codes.InvalidArgument},
		"token":           {call(b.ListDisplays(ctx, &pb.ListDisplaysRequest{PageToken: "forged"})), codes.InvalidArgument},
		"display":         {call(b.GetDisplay(ctx, &pb.GetDisplayRequest{Name: "displays/77"})), codes.NotFound},
		"screen":          {call(b.CaptureScreenshot(ctx, &pb.CaptureScreenshotRequest{Display: 77})), codes.NotFound},
		"quality":         {call(b.CaptureScreenshot(ctx, &pb.CaptureScreenshotRequest{Quality: 101})), codes.InvalidArgument},
		"region":          {call(b.CaptureRegionScreenshot(ctx, &pb.CaptureRegionScreenshotRequest{})), codes.InvalidArgument},
		"region's screen": {call(b.CaptureRegionScreenshot(ctx, &pb.CaptureRegionScreenshotRequest{Region: &pb.Region{Width: 1, Height: 1}, Display: 77})), codes.NotFound},
		"outside":         {call(b.CaptureRegionScreenshot(ctx, &pb.CaptureRegionScreenshotRequest{Region: &pb.Region{X: 9000, Width: 1, Height: 1}})), codes.InvalidArgument},
		"no action":       {call(b.CreateInput(ctx, &pb.CreateInputRequest{})), codes.InvalidArgument},
		"key":             {call(b.CreateInput(ctx, key("hyperdrive"))), codes.InvalidArgument},
		"point":           {call(b.CreateInput(ctx, click(9000, 1))), codes.FailedPrecondition},
		"empty text":      {call(b.CreateInput(ctx, typed("", 0))), codes.InvalidArgument},
		"input":           {call(b.GetInput(ctx, &pb.GetInputRequest{Name: "desktopInputs/x"})), codes.NotFound},
		"clipboard":       {call(b.WriteClipboard(ctx, &pb.WriteClipboardRequest{})), codes.InvalidArgument},
		"AppleScript":     {call(b.ExecuteAppleScript(ctx, &pb.ExecuteAppleScriptRequest{Script: "beep"})), codes.Unimplemented},
		"JXA":             {call(b.ExecuteJavaScript(ctx, &pb.ExecuteJavaScriptRequest{Script: "1"})), codes.Unimplemented},
		"macro":           {call(b.GetMacro(ctx, &pb.GetMacroRequest{Name: "macros/x"})), codes.NotFound},
		"nameless macro":  {call(b.CreateMacro(ctx, &pb.CreateMacroRequest{Macro: &pb.Macro{}})), codes.InvalidArgument},
		"observation":     {call(b.CreateObservation(ctx, &pb.CreateObservationRequest{Parent: nowhere, Observation: &pb.Observation{}})), codes.InvalidArgument},
		"relative path":   {call(b.SelectFile(ctx, &pb.SelectFileRequest{FilePath: "a"})), codes.InvalidArgument},
		"no files":        {call(b.DragFiles(ctx, &pb.DragFilesRequest{Application: nowhere})), codes.InvalidArgument},
		"missing file":    {call(b.DragFiles(ctx, &pb.DragFilesRequest{Application: nowhere, FilePaths: []string{"/no/such/file"}})), codes.NotFound},
		"operation":       {call(b.Operations().GetOperation(ctx, &longrunningpb.GetOperationRequest{Name: "operations/x"})), codes.NotFound},
		"element":         {call(b.GetElement(ctx, &pb.GetElementRequest{Name: "elements/e1"})), codes.InvalidArgument},
		"rotating":        {call(b.CreateInput(ctx, action(&pb.InputAction{InputType: &pb.InputAction_Gesture{Gesture: &pb.Gesture{Center: &pb.Point{X: 1, Y: 1}, GestureType: pb.Gesture_GESTURE_TYPE_ROTATE}}}))), codes.Unimplemented},
		"three fingers":   {call(b.CreateInput(ctx, action(&pb.InputAction{InputType: &pb.InputAction_Gesture{Gesture: &pb.Gesture{Center: &pb.Point{X: 1, Y: 1}, GestureType: pb.Gesture_GESTURE_TYPE_SWIPE, Direction: pb.Gesture_DIRECTION_UP, FingerCount: 3}}}))), codes.Unimplemented},
		"fn at a release": {call(b.CreateInput(ctx, action(&pb.InputAction{InputType: &pb.InputAction_ButtonUp{ButtonUp: &pb.MouseButtonUp{Position: &pb.Point{X: 1, Y: 1}, Modifiers: []pb.KeyPress_Modifier{pb.KeyPress_MODIFIER_FUNCTION}}}}))), codes.InvalidArgument},
		"unknown program": {operation(t, b, &pb.OpenApplicationRequest{Id: "no-such-application"}), codes.NotFound},
	} {
		refused(t, name, c.err, c.code)
	}
}

// operation opens an application and returns the error of the operation.
func operation(t *testing.T, b *backend.Backend, r *pb.OpenApplicationRequest) error {
	t.Helper()
	o, err := b.OpenApplication(t.Context(), r)
	if err != nil {
		return err
	}
	o, err = b.Operations().WaitOperation(t.Context(), &longrunningpb.WaitOperationRequest{Name: o.GetName()})
	if err != nil {
		return err
	}
	return failure(o)
}

func TestScreenshots(t *testing.T) {
	d := desk.Open(t, nil)
	b := open(t, nil)
	ctx := soon(t)
	w := terminal(t, b, d, "photographed")
	shot := must[*pb.CaptureScreenshotResponse](t)(b.CaptureScreenshot(ctx, &pb.CaptureScreenshotRequest{}))
	m, err := png.Decode(bytes.NewReader(shot.GetImageData()))
	if err != nil || m.Bounds().Dx() != 1280 || shot.GetWidth() != 1280 || shot.GetHeight() != 800 || shot.GetFormat() != pb.ImageFormat_IMAGE_FORMAT_PNG {
		t.Errorf("%v, %v", shot.GetWidth(), err)
	}
	h := new(headerStream)
	window := must[*pb.CaptureWindowScreenshotResponse](t)(b.CaptureWindowScreenshot(grpc.NewContextWithServerTransportStream(ctx, h),
		&pb.CaptureWindowScreenshotRequest{Window: w.GetName(), Format: pb.ImageFormat_IMAGE_FORMAT_JPEG, IncludeShadow: true}))
	if note := strings.Join(h.header.Get(pb.NoteHeader), " "); !strings.Contains(note, "include_shadow had no effect") {
		t.Errorf("the shadow is left out without a word: %q", note)
	}
	if float64(window.GetWidth()) != w.GetBounds().GetWidth() || !bytes.HasPrefix(window.GetImageData(), []byte{0xff, 0xd8}) {
		t.Errorf("%v of %v", window.GetWidth(), w)
	}
	displays := must[*pb.ListDisplaysResponse](t)(b.ListDisplays(ctx, &pb.ListDisplaysRequest{})).GetDisplays()
	if len(displays) != 1 || !displays[0].GetIsMain() || displays[0].GetFrame().GetWidth() != 1280 {
		t.Errorf("%v", displays)
	}
	must[*pb.Display](t)(b.GetDisplay(ctx, &pb.GetDisplayRequest{Name: displays[0].GetName()}))
	must[*pb.CaptureScreenshotResponse](t)(b.CaptureScreenshot(ctx, &pb.CaptureScreenshotRequest{Display: int32(displays[0].GetDisplayId())}))
	must[*pb.Input](t)(b.CreateInput(ctx, action(&pb.InputAction{InputType: &pb.InputAction_MoveMouse{MoveMouse: &pb.MouseMove{Position: &pb.Point{X: 77, Y: 88}}}})))
	if at := must[*pb.CaptureCursorPositionResponse](t)(b.CaptureCursorPosition(ctx, nil)); at.GetX() != 77 || at.GetY() != 88 || at.GetDisplay() != displays[0].GetName() {
		t.Errorf("%v", at)
	}
}

func TestClipboard(t *testing.T) {
	b := open(t, nil)
	ctx := soon(t)
	const text = "naïve 日本語 🙂"
	must[*pb.WriteClipboardResponse](t)(b.WriteClipboard(ctx, &pb.WriteClipboardRequest{Content: &pb.ClipboardContent{Content: &pb.ClipboardContent_Text{Text: text}}}))
	if got := desk.Output(t, "xclip", "-o", "-selection", "clipboard", "-t", "UTF8_STRING"); got != text {
		t.Errorf("xclip reads %q", got)
	}
	got := must[*pb.Clipboard](t)(b.GetClipboard(ctx, &pb.GetClipboardRequest{Name: "clipboard"}))
	if got.GetContent().GetText() != text || len(got.GetAvailableTypes()) != 1 {
		t.Errorf("%v", got)
	}
	history := must[*pb.ClipboardHistory](t)(b.GetClipboardHistory(ctx, &pb.GetClipboardHistoryRequest{Name: "clipboard/history"}))
	if len(history.GetEntries()) != 1 || history.GetEntries()[0].GetContent().GetText() != text {
		t.Errorf("%v", history)
	}
	must[*pb.ClearClipboardResponse](t)(b.ClearClipboard(ctx, nil))
	if got := must[*pb.Clipboard](t)(b.GetClipboard(ctx, &pb.GetClipboardRequest{Name: "clipboard"})); got.GetContent() != nil {
		t.Errorf("%v", got)
	}
}

// TestOwnWindowsAreOutOfReach tries every way to reach a window of goated.
func TestOwnWindowsAreOutOfReach(t *testing.T) {
	d := desk.Open(t, nil)
	dir := t.TempDir()
	touched := filepath.Join(dir, "typed")
	mine := desk.Terminal(t, d, "goated asks: Allow?", "sh", "-c", "read x; touch "+touched+"; sleep 1000")
	b := open(t, func(o *backend.Options) { o.Own = guard.Own{PIDs: []int{mine.PID}} })
	ctx := soon(t)
	mineApp, name := application(mine.PID), fmt.Sprintf("%s/windows/%d", application(mine.PID), mine.ID)
	x, y := float64(mine.Client.X+20), float64(mine.Client.Y+20)
	call := func(_ any, err error) error { return err }
	point := &pb.Point{X: x, Y: y}
	for what, err := range map[string]error{
		"focus":     call(b.FocusWindow(ctx, &pb.FocusWindowRequest{Name: name})),
		"move":      call(b.MoveWindow(ctx, &pb.MoveWindowRequest{Name: name})),
		"resize":    call(b.ResizeWindow(ctx, &pb.ResizeWindowRequest{Name: name, Width: 300, Height: 300})),
		"minimise":  call(b.MinimizeWindow(ctx, &pb.MinimizeWindowRequest{Name: name})),
		"restore":   call(b.RestoreWindow(ctx, &pb.RestoreWindowRequest{Name: name})),
		"close":     call(b.CloseWindow(ctx, &pb.CloseWindowRequest{Name: name, Force: true})),
		"get":       call(b.GetWindow(ctx, &pb.GetWindowRequest{Name: name})),
		"state":     call(b.GetWindowState(ctx, &pb.GetWindowStateRequest{Name: name + "/state"})),
		"picture":   call(b.CaptureWindowScreenshot(ctx, &pb.CaptureWindowScreenshotRequest{Window: name})),
		"list":      call(b.ListWindows(ctx, &pb.ListWindowsRequest{Parent: mineApp})),
		"elements":  call(b.FindElements(ctx, &pb.FindElementsRequest{Parent: mineApp})),
		"tree":      call(b.TraverseAccessibility(ctx, &pb.TraverseAccessibilityRequest{Name: mineApp})),
		"click":     call(b.CreateInput(ctx, click(x, y))),
		"frame":     call(b.CreateInput(ctx, click(float64(mine.Frame.X+30), float64(mine.Frame.Y+5)))),
		"type":      call(b.CreateInput(ctx, typed("\n", 0))),
		"key":       call(b.CreateInput(ctx, key("Return"))),
		"scroll":    call(b.CreateInput(ctx, action(&pb.InputAction{InputType: &pb.InputAction_Scroll{Scroll: &pb.Scroll{Position: point, Vertical: 1}}}))),
		"drag to":   call(b.CreateInput(ctx, action(&pb.InputAction{InputType: &pb.InputAction_Drag{Drag: &pb.MouseDrag{StartPosition: &pb.Point{X: 1200, Y: 700}, EndPosition: point}}}))),
		"drag from": call(b.CreateInput(ctx, action(&pb.InputAction{InputType: &pb.InputAction_Drag{Drag: &pb.MouseDrag{StartPosition: point, EndPosition: &pb.Point{X: 1200, Y: 700}}}}))),
		"press":     call(b.CreateInput(ctx, action(&pb.InputAction{InputType: &pb.InputAction_ButtonDown{ButtonDown: &pb.MouseButtonDown{Position: point}}}))),
		"observe":   call(b.CreateObservation(ctx, &pb.CreateObservationRequest{Parent: mineApp, Observation: &pb.Observation{Type: pb.ObservationType_OBSERVATION_TYPE_WINDOW_CHANGES}})),
	} {
		refused(t, what, err, codes.PermissionDenied)
	}
	if apps := must[*pb.ListApplicationsResponse](t)(b.ListApplications(ctx, &pb.ListApplicationsRequest{})); strings.Contains(apps.String(), mineApp) {
		t.Errorf("goated is listed: %v", apps)
	}
	if now, err := d.Window(mine.ID); err != nil || now.Frame != mine.Frame {
		t.Errorf("goated's window changed: %+v, %v", now, err)
	}
	if _, err := os.Stat(touched); err == nil {
		t.Error("goated's window received Return")
	}
	shot := must[*pb.CaptureScreenshotResponse](t)(b.CaptureScreenshot(ctx, &pb.CaptureScreenshotRequest{}))
	m, err := png.Decode(bytes.NewReader(shot.GetImageData()))
	if err != nil {
		t.Fatal(err)
	}
	if r, _, _, _ := m.At(int(x), int(y)).RGBA(); r>>8 == 0xff {
		t.Error("a screenshot shows goated's window")
	}
}

func TestHaltStopsEverything(t *testing.T) {
	d := desk.Open(t, nil)
	b := open(t, func(o *backend.Options) { o.Sign = true })
	ctx := soon(t)
	terminal(t, b, d, "halted", "sh", "-c", "stty -echo; cat >/dev/null")
	for name, halt := range map[string]func(){
		"function": b.Halt,
		"key":      func() { desk.Output(t, "xdotool", "key", "--clearmodifiers", "ctrl+alt+Escape") },
	} {
		type end struct {
			err error
			at  time.Time
		}
		ended := make(chan end, 1)
		go func() {
			_, err := b.CreateInput(ctx, typed(strings.Repeat("a", 5000), 0.05))
			ended <- end{err, time.Now()}
		}()
		desk.Until(t, "sign", func() bool { return signed(t, d) })
		halt()
		after := time.Now()
		e := waittest.Receive(t, "the action ends", ended)
		if took := e.at.Sub(after); took > 2*time.Second { // TestEachKindOfActionIsHalted checks the 100 ms
			t.Errorf("%s: it stopped after %v", name, took)
		}
		refused(t, name, e.err, codes.PermissionDenied, "stopped")
		if !b.Halted() {
			t.Errorf("%s: not halted", name)
		}
		_, err := b.CreateInput(ctx, key("a"))
		refused(t, "an action after "+name, err, codes.PermissionDenied)
		_, err = b.WriteClipboard(ctx, &pb.WriteClipboardRequest{Content: &pb.ClipboardContent{Content: &pb.ClipboardContent_Text{Text: "x"}}})
		refused(t, "a write after "+name, err, codes.PermissionDenied)
		b.Resume()
		must[*pb.Input](t)(b.CreateInput(ctx, key("a")))
	}
	desk.Until(t, "end of the sign", func() bool { return !signed(t, d) })
}

// signed reports whether the sign is visible.
func signed(t *testing.T, d *x11.Desktop) bool {
	t.Helper()
	layers, err := d.Layers()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range layers {
		if l.Window.Class == "goated-sign" {
			return true
		}
	}
	return false
}

func TestInputReachesItsApplicationOnly(t *testing.T) {
	d := desk.Open(t, nil)
	b := open(t, nil)
	ctx := soon(t)
	path := filepath.Join(t.TempDir(), "typed")
	meant := terminal(t, b, d, "meant", "sh", "-c", "stty -echo; read x; echo \"$x\" > "+path+"; sleep 1000")
	above := terminal(t, b, d, "above")
	r := click(above.GetBounds().GetX()+40, above.GetBounds().GetY()+60)
	r.Parent = parent(meant.GetName())
	_, err := b.CreateInput(ctx, r)
	refused(t, "a click on a covered window", err, codes.FailedPrecondition, "above")
	const text = "naïve 日本語 🙂"
	r = typed(text+"\n", 0)
	r.Parent = parent(meant.GetName())
	in := must[*pb.Input](t)(b.CreateInput(ctx, r))
	if in.GetState() != pb.Input_STATE_COMPLETED || !strings.HasPrefix(in.GetName(), r.GetParent()+"/inputs/") {
		t.Errorf("%v", in)
	}
	got := ""
	desk.Until(t, "text in the terminal", func() bool {
		out, err := os.ReadFile(path)
		got = string(out)
		return err == nil && strings.HasSuffix(got, "\n")
	})
	if got != text+"\n" {
		t.Errorf("%q arrived", got)
	}
	list := must[*pb.ListInputsResponse](t)(b.ListInputs(ctx, &pb.ListInputsRequest{Parent: r.GetParent(), Filter: `state = "COMPLETED"`}))
	if len(list.GetInputs()) != 1 || strings.Contains(list.String(), "naïve") {
		t.Errorf("%v", list)
	}
	if failed := must[*pb.ListInputsResponse](t)(b.ListInputs(ctx, &pb.ListInputsRequest{Parent: "applications/-", Filter: "state=failed"})); len(failed.GetInputs()) != 1 {
		t.Errorf("%v", failed)
	}
}
