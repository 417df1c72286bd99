package backend_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/waittest"
	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
)

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
