package backend

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"goated/servers/desktop/apps"
	"goated/servers/desktop/atspi"
	"goated/servers/desktop/fault"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/message"
	"goated/servers/desktop/observe"
	"goated/servers/desktop/paging"
	"goated/servers/desktop/resourcename"
	"goated/servers/desktop/selector"
	"goated/servers/desktop/session"
	"goated/servers/desktop/x11"
)

// An observationService observes changes in applications.
type observationService struct {
	c        *core
	elements *elementService
}

// CreateObservation starts an observation. The operation is done once the observation runs.
func (p *observationService) CreateObservation(ctx context.Context, r *pb.CreateObservationRequest) (*longrunningpb.Operation, error) {
	want := r.GetObservation()
	pid, err := p.process(r.GetParent(), want.GetType())
	if err != nil {
		return nil, err
	}
	if want.GetActivate() && pid != anyPID {
		if err := p.elements.activate(ctx, pid, action{method: "CreateObservation", request: r}); err != nil {
			return nil, err
		}
	}
	meta := &pb.CreateObservationMetadata{Type: want.GetType()}
	ready := make(chan struct{})
	begun := sync.OnceFunc(func() { close(ready) })
	run, err := p.run(ctx, pid, want, begun)
	if err := firstError(err, p.c.checkExists(pid)); err != nil {
		return nil, err
	}
	o, err := p.c.hub.Create(r.GetParent(), r.GetObservationId(), want, func(ctx context.Context, emit func(*pb.ObservationEvent)) error {
		defer begun() // it may fail before it begins
		return run(ctx, emit)
	})
	if err != nil {
		return nil, fault.Status(err)
	}
	meta.Observation = o.GetName()
	op, err := p.c.operations.Start("observe", meta, func(ctx context.Context, _ func(proto.Message)) (proto.Message, error) {
		select {
		case <-ready: // it misses no change from now on
		case <-ctx.Done():
		}
		return p.c.hub.Get(o.GetName())
	})
	cancel := func(context.Context) error {
		_, _ = p.c.hub.Cancel(o.GetName()) // fails only if the observation has ended
		return nil
	}
	if err != nil { // the caller gets no name to cancel the observation
		_ = cancel(ctx)
		return nil, err
	}
	p.c.sessions.Record("", session.Operation{Type: "CreateObservation", Resource: o.GetName(), Within: o.GetName(), Undo: cancel})
	return op, nil
}

// process parses the parent of an observation and returns its PID. Windows and applications can be
// observed on the whole desktop, for which process returns anyPID.
func (p *observationService) process(parent string, kind pb.ObservationType) (int, error) {
	if parent == "applications/"+resourcename.AnyApplication && (kind == pb.ObservationType_OBSERVATION_TYPE_WINDOW_CHANGES || kind == pb.ObservationType_OBSERVATION_TYPE_APPLICATION_CHANGES) {
		return anyPID, nil
	}
	pid, err := resourcename.ParseApplication(parent)
	if err != nil {
		return 0, err
	}
	return pid, fault.Status(p.c.guard.Element(pid))
}

// run returns the function that observes. That calls begun when it knows the state to compare with.
func (p *observationService) run(ctx context.Context, pid int, want *pb.Observation, begun func()) (observe.Run, error) {
	switch want.GetType() {
	case pb.ObservationType_OBSERVATION_TYPE_WINDOW_CHANGES, pb.ObservationType_OBSERVATION_TYPE_APPLICATION_CHANGES:
		if p.c.wl != nil {
			return nil, errWatch
		}
		s, err := p.c.screen()
		if err != nil {
			return nil, err
		}
		if want.GetType() == pb.ObservationType_OBSERVATION_TYPE_WINDOW_CHANGES {
			return windowChanges(s, pid, begun), nil
		}
		return applicationChanges(s, pid, begun), nil
	case pb.ObservationType_OBSERVATION_TYPE_ELEMENT_CHANGES, pb.ObservationType_OBSERVATION_TYPE_ATTRIBUTE_CHANGES, pb.ObservationType_OBSERVATION_TYPE_TREE_CHANGES:
		fits, err := selector.Roles(want.GetFilter().GetRoles())
		if err != nil {
			return nil, fault.Invalid("%v", err)
		}
		look := p.elements.look(pid, atspi.Query{Selector: fits, Visible: want.GetFilter().GetVisibleOnly()})
		if _, err := look(ctx); err != nil && !errors.Is(err, errSlow) {
			return nil, err
		}
		return func(ctx context.Context, emit func(*pb.ObservationEvent)) error {
			changed, err := p.elements.changed(ctx, pid)
			if err != nil {
				return err
			}
			return observe.Elements(want, changed, func(ctx context.Context) ([]*pb.Element, error) {
				list, err := look(ctx)
				begun()
				return list, ended(err)
			})(ctx, emit)
		}, nil
	}
	return nil, fault.Invalid("the type of the observation is missing: ELEMENT_CHANGES, WINDOW_CHANGES, APPLICATION_CHANGES, ATTRIBUTE_CHANGES or TREE_CHANGES")
}

// windowChanges observes the windows of one process, or of all processes if pid is anyPID.
func windowChanges(s *screen, pid int, begun func()) observe.Run {
	return func(ctx context.Context, emit func(*pb.ObservationEvent)) error {
		return s.desktop.Watch(ctx, func([]x11.Window) { begun() }, func(c x11.Change) {
			kind := message.Event(c.Kind)
			if kind == 0 || pid != anyPID && c.Window.PID != pid {
				return
			}
			emit(&pb.ObservationEvent{EventTime: timestamppb.New(c.At), EventType: &pb.ObservationEvent_WindowEvent{
				WindowEvent: &pb.WindowEvent{EventType: kind, WindowId: resourcename.Window(c.Window.PID, c.Window.ID), Title: c.Window.Title}}})
		})
	}
}

// applicationChanges observes one process, or all if pid is anyPID. A process is launched with its first
// window, terminated with its last window, and activated with the keyboard focus.
func applicationChanges(s *screen, pid int, begun func()) observe.Run {
	return func(ctx context.Context, emit func(*pb.ObservationEvent)) error {
		say := func(at time.Time, kind pb.ApplicationEvent_ApplicationEventType) {
			emit(&pb.ObservationEvent{EventTime: timestamppb.New(at), EventType: &pb.ObservationEvent_ApplicationEvent{ApplicationEvent: &pb.ApplicationEvent{EventType: kind}}})
		}
		active := anyPID             // until a window has the focus
		windows := make(map[int]int) // number of windows of each process
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		err := s.desktop.Watch(ctx, func(all []x11.Window) {
			for _, w := range all {
				if windows[w.PID]++; w.Focused {
					active = w.PID
				}
			}
			begun()
		}, func(c x11.Change) {
			at := c.Window.PID
			mine := pid == anyPID || at == pid
			switch c.Kind {
			case x11.Created:
				if windows[at]++; windows[at] == 1 && mine {
					say(c.At, pb.ApplicationEvent_APPLICATION_EVENT_TYPE_LAUNCHED)
				}
			case x11.Destroyed:
				if windows[at]--; windows[at] <= 0 && mine {
					delete(windows, at)
					say(c.At, pb.ApplicationEvent_APPLICATION_EVENT_TYPE_TERMINATED)
					if pid > 0 && !apps.Running(pid) {
						cancel(observe.ErrGone)
					}
				}
			case x11.FocusGained:
				if at != active {
					if pid == anyPID || active == pid {
						say(c.At, pb.ApplicationEvent_APPLICATION_EVENT_TYPE_DEACTIVATED)
					}
					if mine {
						say(c.At, pb.ApplicationEvent_APPLICATION_EVENT_TYPE_ACTIVATED)
					}
					active = at
				}
			}
		})
		if errors.Is(context.Cause(ctx), observe.ErrGone) {
			return nil
		}
		return err
	}
}

// GetObservation returns an observation.
func (p *observationService) GetObservation(_ context.Context, r *pb.GetObservationRequest) (*pb.Observation, error) {
	o, err := p.c.hub.Get(r.GetName())
	return o, fault.Status(err)
}

// ListObservations lists the observations of an application. applications/- lists all of them.
func (p *observationService) ListObservations(_ context.Context, r *pb.ListObservationsRequest) (*pb.ListObservationsResponse, error) {
	parent := r.GetParent()
	if parent == "applications/"+resourcename.AnyApplication {
		parent = ""
	} else if _, err := resourcename.ParseApplication(parent); err != nil {
		return nil, err
	}
	page, next, err := paging.Page(p.c.tokens, p.c.hub.List(parent), r.GetPageSize(), r.GetPageToken(), paging.Scope("observations", r.GetParent()))
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	return &pb.ListObservationsResponse{Observations: page, NextPageToken: next}, nil
}

// CancelObservation ends an observation.
func (p *observationService) CancelObservation(_ context.Context, r *pb.CancelObservationRequest) (*pb.Observation, error) {
	o, err := p.c.hub.Cancel(r.GetName())
	return o, fault.Status(err)
}

// StreamObservations streams an observation's events, starting with those that were kept.
func (p *observationService) StreamObservations(r *pb.StreamObservationsRequest, stream grpc.ServerStreamingServer[pb.StreamObservationsResponse]) error {
	return fault.Status(p.c.hub.Stream(stream.Context(), r.GetName(), func(e *pb.ObservationEvent) error {
		return stream.Send(&pb.StreamObservationsResponse{Event: e})
	}))
}

// watch sends the elements of an application once it returns all of them. Then it sends the
// differences between looks at the application, until send fails.
func (p *elementService) watch(ctx context.Context, pid int, visible bool, every time.Duration, send func(*pb.WatchAccessibilityResponse) error) error {
	look := p.look(pid, atspi.Query{Visible: visible})
	before, err := look(ctx)
	begun := err == nil
	if begun {
		err = send(&pb.WatchAccessibilityResponse{Added: before})
	}
	if err != nil && !errors.Is(err, errSlow) {
		return err
	}
	changed, err := p.changed(ctx, pid)
	if err != nil {
		return err
	}
	var stop error
	err = observe.Poll(ctx, max(every, observe.MinInterval), changed, func(ctx context.Context) error {
		now, err := look(ctx)
		if err != nil {
			return ended(err)
		}
		d := observe.Diff(before, now, nil)
		if begun && d.Empty() {
			return nil
		}
		before, begun = now, true
		out := &pb.WatchAccessibilityResponse{Added: d.Added, Removed: d.Removed}
		for _, m := range d.Modified {
			out.Modified = append(out.Modified, &pb.ModifiedElement{OldElement: m.GetOldElement(), NewElement: m.GetNewElement(), Changes: m.GetChanges()})
		}
		if stop = send(out); stop != nil {
			return observe.ErrGone
		}
		return nil
	})
	switch {
	case stop != nil:
		return stop
	case ctx.Err() != nil:
		return status.FromContextError(ctx.Err()).Err()
	case err == nil:
		return status.Error(codes.NotFound, fmt.Sprintf("%s has ended", resourcename.Application(pid)))
	}
	return fault.Status(err)
}
