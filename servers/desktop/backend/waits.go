package backend

import (
	"context"
	"errors"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/element"
	"goated/servers/desktop/fault"
	"goated/servers/desktop/inputaction"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/message"
	"goated/servers/desktop/observe"
	"goated/servers/desktop/remark"
	"goated/servers/desktop/resourcename"
	"goated/servers/desktop/selector"
)

// A waitService waits for elements and their states.
type waitService struct {
	c        *core
	elements *elementService
}

// errFound ends a wait after a successful look.
var errFound = errors.New("found")

// until calls look until it returns errFound. It looks at each interval, and immediately after a
// change of the application.
func (p *waitService) until(ctx context.Context, pid int, limit, every time.Duration, look func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, status.Errorf(codes.DeadlineExceeded, "it did not happen within %v", limit))
	defer cancel()
	changed, err := p.elements.changed(ctx, pid)
	if err != nil {
		return err
	}
	var why error
	err = observe.Poll(ctx, every, changed, func(ctx context.Context) error {
		why = look(ctx)
		switch status.Code(why) {
		case codes.NotFound, codes.PermissionDenied, codes.InvalidArgument:
			return observe.ErrGone
		}
		if errors.Is(why, errFound) {
			return observe.ErrGone
		}
		return why // another look may succeed
	})
	switch {
	case errors.Is(why, errFound):
		return nil
	case err == nil && errors.Is(why, observe.ErrGone):
		return fault.NotFound("the application has ended")
	case err == nil:
		return why
	}
	return fault.Status(context.Cause(ctx))
}

// WaitElement waits until an element matches a selector.
func (p *waitService) WaitElement(_ context.Context, r *pb.WaitElementRequest) (*longrunningpb.Operation, error) {
	pid, _, err := resourcename.ParseParent(r.GetParent())
	if err != nil {
		return nil, err
	}
	fits, err := selector.Parse(r.GetSelector())
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	limit, every, err := inputaction.Wait(r.GetTimeout(), r.GetPollInterval(), observe.MinInterval)
	if err != nil {
		return nil, err
	}
	meta := &pb.WaitElementMetadata{Selector: clone(r.GetSelector())}
	return p.c.operations.Start("wait-element", meta, func(ctx context.Context, update func(proto.Message)) (proto.Message, error) {
		ctx, end, err := p.c.guard.Begin(ctx)
		if err != nil {
			return nil, fault.Status(err)
		}
		defer end()
		var found *pb.Element
		err = p.until(ctx, pid, limit, every, func(ctx context.Context) error {
			meta.Attempts++
			update(clone(meta))
			t, nodes, err := p.elements.find(ctx, r.GetParent(), atspi.Query{Selector: fits, Visible: true})
			if err != nil {
				return ended(err)
			}
			remark.Partial(ctx, t.Partial)
			if len(nodes) == 0 {
				return nil
			}
			t.Fetch(ctx, nodes[:1], element.AllFields)
			found = message.Element(t.Element(nodes[0]))
			return errFound
		})
		if err != nil {
			return nil, err
		}
		return &pb.WaitElementResponse{Element: found}, nil
	})
}

// WaitElementState waits until an element has a state.
func (p *waitService) WaitElementState(ctx context.Context, r *pb.WaitElementStateRequest) (*longrunningpb.Operation, error) {
	holds, err := selector.Condition(r.GetCondition())
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	limit, every, err := inputaction.Wait(r.GetTimeout(), r.GetPollInterval(), observe.MinInterval)
	if err != nil {
		return nil, err
	}
	_, target, first, err := p.elements.choose(ctx, r.GetParent(), r.GetElementId(), r.GetSelector())
	if err != nil {
		return nil, err
	}
	meta := &pb.WaitElementStateMetadata{Condition: clone(r.GetCondition())}
	return p.c.operations.Start("wait-state", meta, func(ctx context.Context, update func(proto.Message)) (proto.Message, error) {
		ctx, end, err := p.c.guard.Begin(ctx)
		if err != nil {
			return nil, fault.Status(err)
		}
		defer end()
		var found *pb.Element
		err = p.until(ctx, target.PID, limit, every, func(ctx context.Context) error {
			meta.Attempts++
			update(clone(meta))
			e, err := p.elements.element(ctx, target.PID, first.ID)
			if err != nil {
				return err
			}
			if m := message.Element(e); holds(m) {
				found = m
				return errFound
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		return &pb.WaitElementStateResponse{Element: found}, nil
	})
}
