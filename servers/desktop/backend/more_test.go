package backend_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	"goated/internal/proctest"
	"goated/internal/waittest"
	"goated/servers/desktop/apps"
	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/x11/hidden"
)

func TestShellIsOffUnlessAllowed(t *testing.T) {
	off := open(t, func(o *backend.Options) { o.Shell = false })
	ctx := soon(t)
	_, err := off.ExecuteShellCommand(ctx, &pb.ExecuteShellCommandRequest{Command: "true"})
	refused(t, "a command", err, codes.PermissionDenied, "shell commands are off")
	d := desk.Open(t, nil)
	desk.Terminal(t, d, "shell")
	_, err = off.CreateInput(ctx, typed("rm -rf x\n", 0))
	refused(t, "typing into a terminal", err, codes.PermissionDenied)
	script := filepath.Join(t.TempDir(), "saved")
	if err := proctest.WriteProgram(script, []byte("#!/bin/sh\nxterm\n")); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"xterm", "sh", "/bin/sh", "env", "python3", script} {
		refused(t, "opening "+id, operation(t, off, &pb.OpenApplicationRequest{Id: id}), codes.PermissionDenied)
	}

	on := open(t, nil)
	run := func(r *pb.ExecuteShellCommandRequest) *pb.ExecuteShellCommandResponse {
		t.Helper()
		return must[*pb.ExecuteShellCommandResponse](t)(on.ExecuteShellCommand(ctx, r))
	}
	if out := run(&pb.ExecuteShellCommandRequest{Command: `cat; echo "$A"; echo bad >&2; exit 3`, Stdin: "in ", Environment: map[string]string{"A": "b"}}); out.GetSuccess() || out.GetExitCode() != 3 || out.GetStdout() != "in b\n" || out.GetStderr() != "bad\n" {
		t.Errorf("%v", out)
	}
	if out := run(&pb.ExecuteShellCommandRequest{Command: "echo", Args: []string{"a b", "$HOME"}}); out.GetStdout() != "a b $HOME\n" {
		t.Errorf("%v", out)
	}
	begin := time.Now()
	if out := run(&pb.ExecuteShellCommandRequest{Command: "sleep 100 & sleep 100", Timeout: durationpb.New(50 * time.Millisecond)}); out.GetSuccess() || !strings.Contains(out.GetError(), "50ms") || time.Since(begin) > 10*time.Second {
		t.Errorf("%v after %v", out, time.Since(begin))
	}
	if v := must[*pb.ValidateScriptResponse](t)(on.ValidateScript(ctx, &pb.ValidateScriptRequest{Type: pb.ScriptType_SCRIPT_TYPE_SHELL, Script: "if true; then"})); v.GetValid() || len(v.GetErrors()) != 1 {
		t.Errorf("%v", v)
	}
}

// TestHiddenDesktop works on a desktop that the backend starts, and checks that nothing is left of it.
func TestHiddenDesktop(t *testing.T) {
	desk.Need(t, "xterm")
	b, err := backend.New(t.Context(), backend.Options{Hidden: &hidden.Options{Width: 640, Height: 480}, Shell: true})
	if err != nil {
		t.Fatal(err)
	}
	closed := false
	t.Cleanup(func() {
		if !closed {
			_ = b.Close()
		}
	})
	ctx := soon(t)
	o, err := b.OpenApplication(ctx, &pb.OpenApplicationRequest{Id: "xterm"})
	app := result(t, b, o, err, new(pb.OpenApplicationResponse)).GetApplication()
	windows := must[*pb.ListWindowsResponse](t)(b.ListWindows(ctx, &pb.ListWindowsRequest{Parent: app.GetName()})).GetWindows()
	if len(windows) != 1 || !strings.Contains(b.Workplace(), "hidden") {
		t.Fatalf("%v on %s", windows, b.Workplace())
	}
	path := filepath.Join(t.TempDir(), "out")
	r := typed("echo naïve 日本語 🙂 > "+path+"\n", 0)
	r.Parent = app.GetName()
	must[*pb.Input](t)(b.CreateInput(ctx, r))
	desk.Until(t, "file of the shell", func() bool { out, err := os.ReadFile(path); return err == nil && len(out) > 0 })
	if shot := must[*pb.CaptureScreenshotResponse](t)(b.CaptureScreenshot(ctx, &pb.CaptureScreenshotRequest{})); shot.GetWidth() != 640 {
		t.Errorf("%d pixels wide", shot.GetWidth())
	}
	if list := desk.Output(t, "wmctrl", "-l"); strings.Contains(list, windows[0].GetTitle()) {
		t.Errorf("the window is on the user's desktop: %s", list)
	}
	// Opening the application again activates the first window.
	o, err = b.OpenApplication(ctx, &pb.OpenApplicationRequest{Id: "XTerm"})
	if again := result(t, b, o, err, new(pb.OpenApplicationResponse)).GetApplication(); again.GetName() != app.GetName() {
		t.Errorf("%v, want %v", again, app)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	closed = true
	if _, err := b.ListWindows(context.WithoutCancel(ctx), &pb.ListWindowsRequest{Parent: app.GetName()}); err == nil {
		t.Error("a closed backend lists windows")
	}
	desk.Until(t, "end of the terminal", func() bool { return !apps.Running(int(app.GetPid())) })
}

func TestMacroAndObservation(t *testing.T) {
	d := desk.Open(t, nil)
	folder := t.TempDir()
	b := open(t, func(o *backend.Options) { o.Folder = folder })
	ctx := soon(t)
	o, err := b.CreateObservation(ctx, &pb.CreateObservationRequest{Parent: "applications/-", ObservationId: "new-windows",
		Observation: &pb.Observation{Type: pb.ObservationType_OBSERVATION_TYPE_WINDOW_CHANGES}})
	seen := result(t, b, o, err, new(pb.Observation))
	path := filepath.Join(t.TempDir(), "typed")
	w := terminal(t, b, d, "of a macro", "sh", "-c", "stty -echo; head -n 3 > "+path+".part; mv "+path+".part "+path+"; sleep 1000")
	events := &stream{ctx: ctx, events: make(chan *pb.ObservationEvent, 1000)}
	streamed := make(chan error, 1)
	go func() { streamed <- b.StreamObservations(&pb.StreamObservationsRequest{Name: seen.GetName()}, events) }()
	reported := func(kind pb.WindowEvent_WindowEventType) {
		t.Helper()
		for {
			select {
			case e := <-events.events:
				if e.GetWindowEvent().GetEventType() == kind && e.GetWindowEvent().GetWindowId() == w.GetName() {
					return
				}
			case <-ctx.Done():
				t.Fatalf("no event %v", kind)
			}
		}
	}
	// On a busy machine, a window that moves before it was seen is only reported as created.
	reported(pb.WindowEvent_WINDOW_EVENT_TYPE_CREATED)
	macro := must[*pb.Macro](t)(b.CreateMacro(ctx, &pb.CreateMacroRequest{MacroId: "three-lines", Macro: &pb.Macro{DisplayName: "Three lines",
		Parameters: []*pb.MacroParameter{{Key: "password", Type: pb.MacroParameter_PARAMETER_TYPE_STRING}},
		Actions: []*pb.MacroAction{{Action: &pb.MacroAction_Loop{Loop: &pb.LoopAction{LoopType: &pb.LoopAction_Count{Count: 3},
			Actions: []*pb.MacroAction{{Action: &pb.MacroAction_Input{Input: typed("${password}\n", 0).GetInput().GetAction()}}}}}},
			{Action: &pb.MacroAction_MethodCall{MethodCall: &pb.MethodCall{Method: "MoveWindow", Args: map[string]string{"name": w.GetName(), "x": "321", "y": "123"}}}}}}}))
	o, err = b.ExecuteMacro(ctx, &pb.ExecuteMacroRequest{Macro: macro.GetName(), Application: parent(w.GetName()), ParameterValues: map[string]string{"password": "hunter2"}})
	ran := result(t, b, o, err, new(pb.ExecuteMacroResponse))
	if !ran.GetSuccess() {
		t.Errorf("%v", ran)
	}
	desk.Until(t, "three lines", func() bool {
		out, err := os.ReadFile(path)
		return err == nil && string(out) == "hunter2\nhunter2\nhunter2\n"
	})
	if record, err := os.ReadFile(filepath.Join(folder, backend.JournalFile)); err != nil || !strings.Contains(string(record), "typeText") || strings.Contains(string(record), "hunter2") {
		t.Errorf("the journal holds the argument of the macro: %s (%v)", record, err)
	}
	if now := must[*pb.Window](t)(b.GetWindow(ctx, &pb.GetWindowRequest{Name: w.GetName()})); now.GetBounds().GetX() != 321 {
		t.Errorf("the macro moved the window to %v", now.GetBounds())
	}
	reported(pb.WindowEvent_WINDOW_EVENT_TYPE_MOVED)
	must[*pb.Observation](t)(b.CancelObservation(ctx, &pb.CancelObservationRequest{Name: seen.GetName()}))
	waittest.Receive(t, "the stream ends", streamed)
}

// A stream receives an observation's events.
type stream struct {
	pb.MacosUse_StreamObservationsServer
	ctx    context.Context
	events chan *pb.ObservationEvent
}

func (s *stream) Context() context.Context { return s.ctx }

func (s *stream) Send(r *pb.StreamObservationsResponse) error {
	s.events <- r.GetEvent()
	return nil
}
