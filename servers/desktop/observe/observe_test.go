package observe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	pb "goated/servers/desktop/macosusesdk"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func elements(t *rapid.T, label string) (list []*pb.Element) {
	ids := rapid.SliceOfDistinct(rapid.StringMatching(`e[0-9]`), rapid.ID).Draw(t, label)
	for _, id := range ids {
		list = append(list, &pb.Element{
			ElementId: id, Role: "label", Text: proto.String(rapid.SampledFrom([]string{"a", "b", ""}).Draw(t, "text")),
			Attributes: map[string]string{"checked": rapid.SampledFrom([]string{"true", "false"}).Draw(t, "checked")},
		})
	}
	return list
}

// Applying the changes to the first look yields the second one.
func TestDiffLeadsFromOneLookToTheNext(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, now := elements(t, "before"), elements(t, "now")
		c := Diff(before, now, nil)
		have := make(map[string]*pb.Element)
		for _, e := range before {
			have[e.GetElementId()] = e
		}
		for _, e := range c.Removed {
			delete(have, e.GetElementId())
		}
		for _, e := range c.Added {
			if have[e.GetElementId()] != nil {
				t.Fatalf("%s was added twice", e.GetElementId())
			}
			have[e.GetElementId()] = e
		}
		for _, m := range c.Modified {
			if !proto.Equal(have[m.OldElement.GetElementId()], m.OldElement) || len(m.Changes) == 0 {
				t.Fatalf("%v was not there", m)
			}
			have[m.NewElement.GetElementId()] = m.NewElement
		}
		if len(have) != len(now) {
			t.Fatalf("%d elements, want %d", len(have), len(now))
		}
		for _, e := range now {
			if !proto.Equal(have[e.GetElementId()], e) {
				t.Fatalf("%v, want %v", have[e.GetElementId()], e)
			}
		}
		if !Diff(now, now, nil).Empty() {
			t.Fatal("a look differs from itself")
		}
		for _, m := range Diff(before, now, []string{"checked"}).Modified {
			if len(m.Changes) != 1 || m.Changes[0].Attribute != "checked" {
				t.Fatalf("%v changed other attributes than those asked for", m)
			}
		}
	})
}

func want(kind pb.ObservationType, interval float64) *pb.Observation {
	return &pb.Observation{Type: kind, Filter: &pb.ObservationFilter{PollInterval: interval}}
}

func TestObservationsPollStreamAndEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHub(nil)
		defer h.Close()
		looks := 0
		look := func(context.Context) ([]*pb.Element, error) {
			looks++
			switch {
			case looks == 3:
				return nil, errors.New("busy") // causes another look
			case looks > 6:
				return nil, ErrGone
			}
			return []*pb.Element{{ElementId: "e1", Text: proto.String(fmt.Sprint(looks))}}, nil
		}
		w := want(pb.ObservationType_OBSERVATION_TYPE_ELEMENT_CHANGES, 1)
		o, err := h.Create("applications/7", "", w, Elements(w, nil, look))
		if err != nil || o.Name != "applications/7/observations/o1" || o.State != pb.Observation_STATE_ACTIVE {
			t.Fatal(o, err)
		}
		var got []string
		err = h.Stream(t.Context(), o.Name, func(e *pb.ObservationEvent) error {
			got = append(got, fmt.Sprintf("%d %s", e.Sequence, e.GetElementModified().GetNewElement().GetText()))
			return nil
		})
		if err != nil || !slices.Equal(got, []string{"1 2", "2 4", "3 5", "4 6"}) {
			t.Fatal(got, err)
		}
		if o, _ = h.Get(o.Name); o.State != pb.Observation_STATE_COMPLETED || o.EndTime == nil {
			t.Error(o)
		}
		events, lost, more, err := h.Events(o.Name, 2)
		if err != nil || len(events) != 2 || lost != 0 || more {
			t.Error(events, lost, more, err)
		}
	})
}

// After an event of the application, the next look happens before the interval is over.
func TestChangesAreSeenAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		changed := make(chan struct{}, 1)
		begin, looks := time.Now(), 0
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			done <- Poll(ctx, time.Hour, changed, func(context.Context) error { looks++; return nil })
		}()
		synctest.Wait()
		for range 5 {
			changed <- struct{}{}
		}
		synctest.Wait()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) || time.Since(begin) > time.Second || looks < 4 {
			t.Error(err, time.Since(begin), looks)
		}
	})
}

func TestObservationsAreBoundedAndCancelled(t *testing.T) {
	h := NewHub(nil)
	defer h.Close()
	idle := func(ctx context.Context, _ func(*pb.ObservationEvent)) error { <-ctx.Done(); return ctx.Err() }
	kind := pb.ObservationType_OBSERVATION_TYPE_WINDOW_CHANGES
	large := want(kind, 0)
	large.Filter.Roles = []string{strings.Repeat("r", MaxBytes)}
	if _, err := h.Create("applications/1", "", large, idle); status.Code(err) != codes.InvalidArgument {
		t.Errorf("a large filter: %v", err)
	}
	many, err := h.Create("applications/1", "many", want(kind, 0), func(ctx context.Context, emit func(*pb.ObservationEvent)) error {
		for range MaxEvents + 10 {
			emit(&pb.ObservationEvent{})
		}
		return errors.New("broken")
	})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := h.Stream(t.Context(), many.Name, func(*pb.ObservationEvent) error { n++; return nil }); err != nil || n < MaxEvents {
		t.Error(n, err)
	}
	if events, lost, _, _ := h.Events(many.Name, 0); len(events) != MaxEvents || lost != 10 {
		t.Error(len(events), lost)
	}
	if o, _ := h.Get(many.Name); o.State != pb.Observation_STATE_FAILED {
		t.Error(o.State)
	}
	if _, err := h.Create("applications/2", "o1", want(kind, 1), idle); err != nil { // the hub would choose this name next
		t.Fatal(err)
	}
	for range MaxObservations - 1 {
		if _, err := h.Create("applications/2", "", want(kind, 1), idle); err != nil {
			t.Fatal(err)
		}
	}
	for name, err := range map[codes.Code]error{
		codes.ResourceExhausted: func() error { _, err := h.Create("applications/2", "", want(kind, 1), idle); return err }(),
		codes.AlreadyExists: func() error {
			_, _ = h.Cancel("applications/2/observations/o1")
			_, err := h.Create("applications/2", "o1", want(kind, 1), idle)
			return err
		}(),
		codes.NotFound:        func() error { _, err := h.Cancel("applications/9/observations/o1"); return err }(),
		codes.InvalidArgument: func() error { _, err := h.Create("applications/2", "", want(0, 1), idle); return err }(),
	} {
		if status.Code(err) != name {
			t.Errorf("%v, want %v", err, name)
		}
	}
	for _, bad := range []float64{-1, 1e9} {
		if _, err := h.Create("applications/2", "", want(kind, bad), idle); status.Code(err) != codes.InvalidArgument {
			t.Errorf("an interval of %v: %v", bad, err)
		}
	}
	if got := h.List("applications/2"); len(got) != MaxObservations || got[0].State != pb.Observation_STATE_CANCELLED {
		t.Error(len(got), got[0])
	}
}

// A panic fails its observation, but not the process.
func TestPanicFailsTheObservation(t *testing.T) {
	h := NewHub(nil)
	defer h.Close()
	o, err := h.Create("applications/1", "", &pb.Observation{Type: pb.ObservationType_OBSERVATION_TYPE_TREE_CHANGES}, func(context.Context, func(*pb.ObservationEvent)) error { panic("a bug") })
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Stream(t.Context(), o.GetName(), nil); err != nil { // until its end
		t.Fatal(err)
	}
	if o, err = h.Get(o.GetName()); err != nil || o.GetState() != pb.Observation_STATE_FAILED {
		t.Errorf("%v, %v", o, err)
	}
}
