package backend_test

import (
	"testing"

	"google.golang.org/grpc/codes"

	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/operations"
)

// An observation whose operation is refused does not run: its caller gets no name to cancel it.
func TestARefusedObservationDoesNotRun(t *testing.T) {
	b := open(t, nil)
	ctx := soon(t)
	m := must[*pb.Macro](t)(b.CreateMacro(ctx, &pb.CreateMacroRequest{Macro: &pb.Macro{DisplayName: "Wait", Actions: []*pb.MacroAction{
		{Action: &pb.MacroAction_Wait{Wait: &pb.WaitAction{Duration: 100}}},
	}}}))
	for range operations.MaxRunning {
		if _, err := b.ExecuteMacro(ctx, &pb.ExecuteMacroRequest{Macro: m.GetName()}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := b.CreateObservation(ctx, &pb.CreateObservationRequest{Parent: "applications/-", Observation: &pb.Observation{Type: pb.ObservationType_OBSERVATION_TYPE_WINDOW_CHANGES}})
	refused(t, "one operation too many", err, codes.ResourceExhausted)
	for _, o := range must[*pb.ListObservationsResponse](t)(b.ListObservations(ctx, &pb.ListObservationsRequest{Parent: "applications/-"})).GetObservations() {
		if o.GetState() == pb.Observation_STATE_ACTIVE {
			t.Errorf("it runs: %v", o)
		}
	}
}
