package backend_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	"goated/internal/proctest"
	"goated/internal/waittest"
	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
)

// Every kind of action that takes time ends within 100 ms after the user halts, and its error
// reports the halt.
func TestEachKindOfActionIsHalted(t *testing.T) {
	d := desk.Open(t, nil)
	b := open(t, func(o *backend.Options) { o.Sign = true })
	ctx := soon(t)
	w := terminal(t, b, d, "halted in each way", "sh", "-c", "stty -echo; cat >/dev/null")
	app := parent(w.GetName())
	file := filepath.Join(t.TempDir(), "program")
	if err := proctest.WriteProgram(file, []byte("#!/bin/sh\nexec sleep 30\n")); err != nil {
		t.Fatal(err)
	}
	const long = 200.0
	g := w.GetBounds()
	from, to := &pb.Point{X: g.GetX() + 40, Y: g.GetY() + 60}, &pb.Point{X: g.GetX() + 200, Y: g.GetY() + 160}
	input := func(a *pb.InputAction) func(context.Context) error {
		return func(ctx context.Context) error { _, err := b.CreateInput(ctx, action(a)); return err }
	}
	operation := func(o *longrunningpb.Operation, err error) error {
		if err == nil {
			o, err = b.Operations().WaitOperation(ctx, &longrunningpb.WaitOperationRequest{Name: o.GetName()})
		}
		if err == nil {
			err = failure(o)
		}
		return err
	}
	macro := must[*pb.Macro](t)(b.CreateMacro(ctx, &pb.CreateMacroRequest{Macro: &pb.Macro{DisplayName: "Long", Actions: []*pb.MacroAction{
		{Action: &pb.MacroAction_Input{Input: key("a").GetInput().GetAction()}},
		{Action: &pb.MacroAction_Input{Input: &pb.InputAction{InputType: &pb.InputAction_Hover{Hover: &pb.Hover{Position: from, Duration: long}}}}},
	}}}))
	for name, act := range map[string]func(context.Context) error{
		"text":   input(typed(strings.Repeat("a", 5000), 1).GetInput().GetAction()),
		"hold":   input(&pb.InputAction{InputType: &pb.InputAction_PressKey{PressKey: &pb.KeyPress{Key: "a", HoldDuration: long}}}),
		"move":   input(&pb.InputAction{InputType: &pb.InputAction_MoveMouse{MoveMouse: &pb.MouseMove{Position: to, Duration: long}}}),
		"hover":  input(&pb.InputAction{InputType: &pb.InputAction_Hover{Hover: &pb.Hover{Position: to, Duration: long}}}),
		"drag":   input(&pb.InputAction{InputType: &pb.InputAction_Drag{Drag: &pb.MouseDrag{StartPosition: from, EndPosition: to, Duration: long}}}),
		"scroll": input(&pb.InputAction{InputType: &pb.InputAction_Scroll{Scroll: &pb.Scroll{Position: from, Vertical: 100, Duration: long}}}),
		"command": func(ctx context.Context) error {
			_, err := b.ExecuteShellCommand(ctx, &pb.ExecuteShellCommandRequest{Command: "sleep 1000", Timeout: durationpb.New(5 * time.Minute)})
			return err
		},
		"file dialog": func(ctx context.Context) error {
			_, err := b.AutomateOpenFileDialog(ctx, &pb.AutomateOpenFileDialogRequest{Application: app, FilePath: file, Timeout: long})
			return err
		},
		"open": func(ctx context.Context) error {
			return operation(b.OpenApplication(ctx, &pb.OpenApplicationRequest{Id: file}))
		},
		"macro": func(ctx context.Context) error {
			return operation(b.ExecuteMacro(ctx, &pb.ExecuteMacroRequest{Macro: macro.GetName(), Application: app}))
		},
	} {
		took := time.Hour
		for n := 0; n < 5 && took > 100*time.Millisecond; n++ { // other programs use the processor too
			type end struct {
				err error
				at  time.Time
			}
			ended := make(chan end, 1)
			go func() { err := act(ctx); ended <- end{err, time.Now()} }()
			desk.Until(t, "sign", func() bool {
				select {
				case e := <-ended:
					t.Fatalf("%s ended by itself: %v", name, e.err)
				default:
				}
				return signed(t, d)
			})
			time.Sleep(20 * time.Millisecond) // most actions are running by then, but the result does not depend on it
			since := time.Now()
			b.Halt()
			e := waittest.Receive(t, "the action ends", ended)
			took = e.at.Sub(since)
			refused(t, name, e.err, codes.PermissionDenied, "stopped")
			desk.Until(t, "end of the sign", func() bool { return !signed(t, d) })
			b.Resume()
		}
		if took > 100*time.Millisecond {
			t.Errorf("%s stopped after %v", name, took)
		}
		if mask, err := d.Pressed(); err != nil || mask != 0 {
			t.Errorf("after %s %#x is pressed, %v", name, mask, err)
		}
	}
}

// After a halt, a model learns nothing more about the desktop. Calls that only look are refused
// too, and observations end. Calls that end or delete something still work.
func TestTheHaltStopsReadings(t *testing.T) {
	b := open(t, func(o *backend.Options) { o.Sign = true })
	ctx := soon(t)
	must[*longrunningpb.Operation](t)(b.CreateObservation(ctx, &pb.CreateObservationRequest{Parent: "applications/-",
		Observation: &pb.Observation{Type: pb.ObservationType_OBSERVATION_TYPE_WINDOW_CHANGES}}))
	b.Halt()
	list := must[*pb.ListObservationsResponse](t)(b.ListObservations(ctx, &pb.ListObservationsRequest{Parent: "applications/-"}))
	for _, o := range list.GetObservations() {
		if o.GetState() != pb.Observation_STATE_CANCELLED {
			t.Errorf("%s is %v", o.GetName(), o.GetState())
		}
	}
	if len(list.GetObservations()) != 1 {
		t.Errorf("there are %d observations", len(list.GetObservations()))
	}
	methods := pb.File_macosusesdk_v1_macos_use_proto.Services().ByName("MacosUse").Methods()
	for i := range methods.Len() {
		name := string(methods.Get(i).Name())
		err := b.Admit(ctx, name)
		if strings.HasPrefix(name, "Delete") || strings.HasPrefix(name, "Cancel") {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		refused(t, name, err, codes.PermissionDenied, "stopped")
	}
	b.Resume()
	if err := b.Admit(ctx, "ListWindows"); err != nil {
		t.Error(err)
	}
}
