package backend_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/jezek/xgb/xproto"
	"google.golang.org/grpc/codes"

	"goated/internal/waittest"
	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/operations"
)

// If the operation of an observation is refused, the observation does not run, because its caller
// gets no name to cancel it.
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

// A slow program is not reported as changed. The elements that it did not return in time used to be
// reported as gone and changed. An observation of some roles reports no other roles. A search waits
// for elements that are not reported yet.
func TestASlowProgramIsNotAChangedOne(t *testing.T) {
	desk, b := openWayland(t)
	form, say := desk.run(t, "Form")
	ctx := soon(t)
	o, err := b.CreateObservation(ctx, &pb.CreateObservationRequest{Parent: form, Observation: &pb.Observation{Type: pb.ObservationType_OBSERVATION_TYPE_ELEMENT_CHANGES,
		Filter: &pb.ObservationFilter{Roles: []string{"button", "AXSecureTextField"}, PollInterval: 0.1}}})
	events := &stream{ctx: ctx, events: make(chan *pb.ObservationEvent, 1000)}
	observed := result(t, b, o, err, new(pb.Observation)).GetName()
	streamed := make(chan error, 1)
	go func() { streamed <- b.StreamObservations(&pb.StreamObservationsRequest{Name: observed}, events) }()
	w := watch(t, b, &pb.WatchAccessibilityRequest{Name: form, PollInterval: 0.1})
	there := waittest.Receive(t, "the elements", w.sent).GetAdded()
	if len(there) != 3 || there[1].GetRole() != "entry" {
		t.Fatalf("%v", there)
	}
	must[*pb.WriteElementValueResponse](t)(b.WriteElementValue(ctx, &pb.WriteElementValueRequest{Parent: form,
		Target: &pb.WriteElementValueRequest_ElementId{ElementId: there[1].GetElementId()}, Value: "new"}))
	if c := waittest.Receive(t, "the text", w.sent); len(c.GetModified()) != 1 {
		t.Errorf("%v", c)
	}
	say("slow")
	var found *pb.FindElementsResponse
	searched := make(chan bool)
	go func() {
		found, err = b.FindElements(ctx, &pb.FindElementsRequest{Parent: form, Selector: role("button")})
		close(searched)
	}()
	say("looked")
	say("quick")
	waittest.Receive(t, "the elements that were found", searched)
	if len(found.GetElements()) != 1 || err != nil {
		t.Errorf("the button was not told in time, and is not found: %v, %v", found, err)
	}
	say("tab") // adds a password field
	if c := waittest.Receive(t, "the change", w.sent); len(c.GetAdded()) != 1 || len(c.GetRemoved())+len(c.GetModified()) > 0 {
		t.Errorf("a field is added, and the watch reports %v", c)
	}
	if e := waittest.Receive(t, "the event", events.events); e.GetElementAdded().GetElement().GetRole() != "password text" {
		t.Errorf("a field for a password is added, and the first event is %v", e)
	}
	must[*pb.Observation](t)(b.CancelObservation(ctx, &pb.CancelObservationRequest{Name: observed}))
	waittest.Receive(t, "the stream ends", streamed)
}

// A watching receives the changes that a watch sends.
type watching struct {
	pb.MacosUse_WatchAccessibilityServer
	ctx  context.Context
	sent chan *pb.WatchAccessibilityResponse
}

func (w *watching) Context() context.Context { return w.ctx }

func (w *watching) Send(r *pb.WatchAccessibilityResponse) error {
	w.sent <- r
	return nil
}

// watch watches an application until the test ends.
func watch(t testing.TB, b *backend.Backend, r *pb.WatchAccessibilityRequest) *watching {
	ctx, cancel := context.WithCancel(t.Context())
	w := &watching{ctx: ctx, sent: make(chan *pb.WatchAccessibilityResponse, 1000)}
	done := make(chan error, 1)
	go func() { done <- b.WatchAccessibility(r, w) }()
	t.Cleanup(func() { cancel(); waittest.Receive(t, "the end of the watch", done) })
	return w
}

// An element that is gone from a program with a long list is gone. The error said that the program does
// not answer, because a part of the list is never told.
func TestAnElementOfALongListIsGone(t *testing.T) {
	desk, b := openWayland(t)
	name, say := desk.run(t, longList)
	found := must[*pb.FindElementsResponse](t)(b.FindElements(soon(t), &pb.FindElementsRequest{Parent: name, Selector: role("entry")}))
	if len(found.GetElements()) != 1 {
		t.Fatalf("%v", found)
	}
	say("shorter")
	_, err := b.GetElement(soon(t), &pb.GetElementRequest{Name: name + "/elements/" + found.GetElements()[0].GetElementId()})
	refused(t, "an element that was removed", err, codes.NotFound, "is gone")
}

// An operation that starts an observation was done before the observation knew the state to compare with, so that
// the first changes were missing.
func TestAnObservationMissesNoChange(t *testing.T) {
	b, d := open(t, nil), desk.Open(t, nil)
	show := anonymous(t)
	for i := range 10 {
		title := fmt.Sprintf("number %d", i)
		show(title, "NORMAL")
		w := desk.Window(t, d, title)
		o, err := b.CreateObservation(t.Context(), &pb.CreateObservationRequest{Parent: "applications/-", Observation: &pb.Observation{Type: pb.ObservationType_OBSERVATION_TYPE_WINDOW_CHANGES}})
		observed := result(t, b, o, err, new(pb.Observation))
		if err := xproto.DestroyWindowChecked(d.Conn().X, xproto.Window(w.ID)).Check(); err != nil {
			t.Fatal(err)
		}
		sent := &stream{ctx: t.Context(), events: make(chan *pb.ObservationEvent, 1000)}
		go func() { _ = b.StreamObservations(&pb.StreamObservationsRequest{Name: observed.GetName()}, sent) }()
		for e := (*pb.WindowEvent)(nil); e.GetTitle() != title; {
			e = waittest.Receive(t, "the end of "+title, sent.events).GetWindowEvent()
		}
		must[*pb.Observation](t)(b.CancelObservation(t.Context(), &pb.CancelObservationRequest{Name: observed.GetName()}))
	}
}
