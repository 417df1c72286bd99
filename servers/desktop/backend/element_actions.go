package backend

import (
	"context"
	"errors"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"goated/servers/desktop/apps"
	"goated/servers/desktop/atspi"
	"goated/servers/desktop/element"
	"goated/servers/desktop/fault"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/message"
	"goated/servers/desktop/observe"
	"goated/servers/desktop/resourcename"
	"goated/servers/desktop/selector"
	"goated/servers/desktop/x11/input"
)

// choose returns the element that a request names by its id or by a selector. A selector must match
// exactly one visible element.
func (p *elementService) choose(ctx context.Context, parent, id string, s *pb.ElementSelector) (*atspi.Bus, atspi.Target, element.Element, error) {
	var none element.Element
	pid, _, err := resourcename.ParseParent(parent)
	if err != nil {
		return nil, atspi.Target{}, none, err
	}
	if id != "" {
		bus, t, err := p.target(ctx, pid, id)
		if err != nil {
			return nil, t, none, err
		}
		e, err := p.element(ctx, pid, id)
		return bus, t, e, err
	}
	if s == nil {
		return nil, atspi.Target{}, none, fault.Invalid("the element is missing: give element_id or selector")
	}
	fits, err := selector.Parse(s)
	if err != nil {
		return nil, atspi.Target{}, none, fault.Invalid("%v", err)
	}
	t, nodes, err := p.search(ctx, parent, atspi.Query{Selector: fits, Visible: true})
	if err != nil {
		return nil, atspi.Target{}, none, err
	}
	switch {
	case len(nodes) == 0:
		return nil, atspi.Target{}, none, fault.NotFound("no visible element of %s fits the selector", parent)
	case len(nodes) > 1:
		t.Fetch(ctx, nodes[:2], element.FieldText)
		a, b := t.Element(nodes[0]), t.Element(nodes[1])
		return nil, atspi.Target{}, none, status.Errorf(codes.FailedPrecondition, "the selector fits %d elements, such as the %s %q (%s) and the %s %q (%s); choose one by its element_id",
			len(nodes), a.Role, a.Text, a.ID, b.Role, b.Text, b.ID)
	}
	t.Fetch(ctx, nodes, element.AllFields)
	e := t.Element(nodes[0])
	bus, target, err := p.target(ctx, pid, e.ID)
	return bus, target, e, err
}

// chooseOperable is like choose, for an element that the caller wants to press or fill in.
func (p *elementService) chooseOperable(ctx context.Context, parent, id string, s *pb.ElementSelector) (*atspi.Bus, atspi.Target, element.Element, error) {
	pid, _, err := resourcename.ParseParent(parent)
	if err == nil {
		err = fault.Status(p.checkOperable(ctx, pid))
	}
	if err != nil {
		return nil, atspi.Target{}, element.Element{}, err
	}
	return p.choose(ctx, parent, id, s)
}

// checkOperable refuses the elements of terminals, and of fields that run commands, unless the user allows shell
// commands. For example, a menu of a terminal can paste text, which the terminal then runs.
func (p *elementService) checkOperable(ctx context.Context, pid int) error {
	list := []element.Window{{PID: pid, Class: apps.Name(pid)}}
	if wl := p.c.wl; wl != nil {
		all, _, err := wl.windows(ctx)
		if err != nil {
			return err
		}
		for _, w := range all {
			if w.PID == pid {
				list = append(list, elementWindow(w))
			}
		}
	} else if s, err := p.c.screen(); err == nil {
		all, err := s.desktop.Windows()
		if err != nil {
			return err
		}
		for _, w := range all {
			if w.PID == pid {
				list = append(list, elementWindow(w))
			}
		}
	}
	return p.c.guard.Use(list)
}

// ClickElement presses an element. A single click performs the element's own action, or clicks with
// the mouse if it has none. Other clicks always use the mouse.
func (p *elementService) ClickElement(ctx context.Context, r *pb.ClickElementRequest) (*pb.ClickElementResponse, error) {
	bus, t, e, err := p.chooseOperable(ctx, r.GetParent(), r.GetElementId(), r.GetSelector())
	if err != nil {
		return nil, err
	}
	var after *element.Element
	err = p.c.act(ctx, action{method: "ClickElement", request: r, target: e.Description(), before: e.StateText()}, func(ctx context.Context) (string, error) {
		b, count := input.Left, 1
		switch r.GetClickType() {
		case pb.ClickElementRequest_CLICK_TYPE_UNSPECIFIED, pb.ClickElementRequest_CLICK_TYPE_SINGLE:
			after, err = bus.Act(ctx, t, atspi.Expect{}, "press")
			var refused *atspi.RefusedError
			if err == nil || !errors.As(err, &refused) || !e.Enabled {
				return after.StateText(), err
			}
		case pb.ClickElementRequest_CLICK_TYPE_DOUBLE:
			count = 2
		case pb.ClickElementRequest_CLICK_TYPE_RIGHT:
			b = input.Right
		default:
			return "", fault.Invalid("there is no click_type %d", r.GetClickType())
		}
		if p.c.wl != nil {
			return "", errPointer
		}
		s, err := p.c.screen()
		if err != nil {
			return "", err
		}
		if !e.Placed || e.Bounds.Empty() {
			return "", status.Errorf(codes.FailedPrecondition, "%s has no action to press and no place on the screen", e.Description())
		}
		at := e.Bounds.Center()
		return "", s.input.Click(withExpectedPID(ctx, t.PID), int(at.X), int(at.Y), b, count)
	})
	if err != nil {
		return nil, err
	}
	return &pb.ClickElementResponse{Success: true, Element: p.elementAfter(ctx, t.PID, e, after)}, nil
}

// elementAfter returns an element as it is after an action, or nil if it is gone.
func (p *elementService) elementAfter(ctx context.Context, pid int, before element.Element, after *element.Element) *pb.Element {
	if after == nil {
		now, err := p.element(ctx, pid, before.ID)
		if err != nil {
			return nil
		}
		after = &now
	}
	return message.Element(*after)
}

// WriteElementValue replaces the content of an element and reads it back.
func (p *elementService) WriteElementValue(ctx context.Context, r *pb.WriteElementValueRequest) (*pb.WriteElementValueResponse, error) {
	bus, t, e, err := p.chooseOperable(ctx, r.GetParent(), r.GetElementId(), r.GetSelector())
	if err != nil {
		return nil, err
	}
	a := action{method: "WriteElementValue", request: r, target: e.Description(), before: e.StateText()}
	if old, ok, err := bus.Content(ctx, t); ok && err == nil { // after an error, Write meets the same one
		a.undo = func(ctx context.Context) error {
			_, err := bus.Write(ctx, t, atspi.Expect{}, old)
			return err
		}
	}
	var after *element.Element
	err = p.c.act(ctx, a, func(ctx context.Context) (string, error) {
		after, err = bus.Write(ctx, t, atspi.Expect{}, r.GetValue())
		return after.StateText(), err
	})
	if err != nil {
		return nil, err
	}
	return &pb.WriteElementValueResponse{Success: true, Element: p.elementAfter(ctx, t.PID, e, after)}, nil
}

// PerformElementAction performs one of the actions that GetElementActions lists.
func (p *elementService) PerformElementAction(ctx context.Context, r *pb.PerformElementActionRequest) (*pb.PerformElementActionResponse, error) {
	if r.GetAction() == "" {
		return nil, fault.Invalid("the action has no name; GetElementActions lists those of an element")
	}
	bus, t, e, err := p.chooseOperable(ctx, r.GetParent(), r.GetElementId(), r.GetSelector())
	if err != nil {
		return nil, err
	}
	var after *element.Element
	err = p.c.act(ctx, action{method: "PerformElementAction", request: r, target: e.Description(), before: e.StateText()}, func(ctx context.Context) (string, error) {
		after, err = bus.Act(ctx, t, atspi.Expect{}, r.GetAction())
		return after.StateText(), err
	})
	if err != nil {
		return nil, err
	}
	return &pb.PerformElementActionResponse{Success: true, Element: p.elementAfter(ctx, t.PID, e, after)}, nil
}

// changed returns a channel that receives a token at each change of an application. The channel is
// nil if the application sends no events.
func (p *elementService) changed(ctx context.Context, pid int) (<-chan struct{}, error) {
	bus, err := p.c.elements(ctx)
	if err != nil {
		return nil, err
	}
	a, err := bus.Application(ctx, pid)
	if err != nil {
		return nil, fault.Status(err)
	}
	tokens, err := bus.Watch(ctx, a)
	return tokens, fault.Status(err)
}

// ended returns observe.ErrGone, which ends observations without an error, if the application is gone.
func ended(err error) error {
	var gone *atspi.GoneError
	if errors.As(err, &gone) || status.Code(err) == codes.NotFound {
		return observe.ErrGone
	}
	return err
}

// clone copies a message.
func clone[M proto.Message](m M) M { return proto.Clone(m).(M) }
