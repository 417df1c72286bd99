package backend

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	"goated/servers/desktop/apps"
	"goated/servers/desktop/atspi"
	"goated/servers/desktop/element"
	"goated/servers/desktop/fault"
	"goated/servers/desktop/inputaction"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/message"
	"goated/servers/desktop/paging"
	"goated/servers/desktop/remark"
	"goated/servers/desktop/resourcename"
	"goated/servers/desktop/selector"
	"goated/servers/desktop/x11"
)

// An elementService finds and reads the elements of applications.
type elementService struct{ c *core }

// tree reads an application's elements.
func (p *elementService) tree(ctx context.Context, pid int) (*atspi.Tree, error) {
	if err := p.c.guard.Element(pid); err != nil {
		return nil, fault.Status(err)
	}
	bus, err := p.c.elements(ctx)
	if err != nil {
		return nil, err
	}
	a, err := bus.Application(ctx, pid)
	if err != nil {
		return nil, firstError(p.c.checkExists(pid), fault.Status(err))
	}
	t, err := bus.Snapshot(ctx, a)
	return t, fault.Status(err)
}

// checkExists returns an error for a process that does not run and has no window. A window may name a
// PID that does not run here, because a program in a container may use the PID that it has there.
func (c *core) checkExists(pid int) error {
	if c.x == nil || pid == anyPID || apps.Running(pid) {
		return nil
	}
	all, err := c.x.desktop.Windows()
	if err != nil || slices.ContainsFunc(all, func(w x11.Window) bool { return w.PID == pid }) {
		return nil
	}
	return fault.NotFound("there is no application %s; list the applications", resourcename.Application(pid))
}

// find lists the elements of an application, or of one of its windows, that match a query.
func (p *elementService) find(ctx context.Context, parent string, q atspi.Query) (*atspi.Tree, []int, error) {
	pid, id, err := resourcename.ParseParent(parent)
	if err != nil {
		return nil, nil, err
	}
	t, err := p.tree(ctx, pid)
	if err == nil && t.App.Hung { // its elements are unknown: it may have the window and the element
		err = fault.Status(&atspi.HungError{Name: t.App.Name})
	}
	if err != nil {
		return nil, nil, err
	}
	if id != 0 && p.c.wl != nil {
		if q.Window = p.c.wl.node(ctx, t, id); q.Window == 0 {
			return nil, nil, fault.NotFound("the window %s is gone; list the windows again", parent)
		}
	} else if id != 0 {
		s, err := p.c.screen()
		if err != nil {
			return nil, nil, err
		}
		w, err := s.window(parent)
		if err != nil {
			return nil, nil, err
		}
		same := 0
		if q.Window, same = t.Window(ctx, w.Title, rect(w.Client), rect(w.Frame)); q.Window == 0 && same > 1 {
			return nil, nil, s.sameTitleError(ctx, w)
		}
		if q.Window == 0 {
			return nil, nil, status.Errorf(codes.FailedPrecondition, "the window %q shows no elements of its own; ask for those of %s", w.Title, resourcename.Application(pid))
		}
	}
	return t, t.Find(ctx, q), nil
}

// search is like find, but looks again while nothing matches and the application is slow. The elements that
// it did not report in time may match. If the application stays slow, the error reports it.
func (p *elementService) search(ctx context.Context, parent string, q atspi.Query) (*atspi.Tree, []int, error) {
	for end := time.Now().Add(slowTree); ; {
		t, nodes, err := p.find(ctx, parent, q)
		if err != nil || len(nodes) > 0 || t.Complete() {
			return t, nodes, err
		}
		if time.Now().After(end) {
			remark.Partial(ctx, t.Partial)
			return nil, nil, status.Errorf(codes.DeadlineExceeded, "%s did not answer completely within %v, and nothing in its answers fits; try again", t.App.Name, slowTree)
		}
		if err := pause(ctx); err != nil {
			return nil, nil, err
		}
	}
}

// pause waits between two looks at a slow application.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return fault.Status(ctx.Err())
	case <-time.After(100 * time.Millisecond):
		return nil
	}
}

// page returns one page of nodes as elements.
func (p *elementService) page(ctx context.Context, t *atspi.Tree, nodes []int, size int32, token, scope string) ([]*pb.Element, string, error) {
	page, next, err := paging.Page(p.c.tokens, nodes, size, token, scope)
	if err != nil {
		return nil, "", fault.Invalid("%v", err)
	}
	why := slices.Clone(t.Partial)
	if missing := t.Fetch(ctx, page, element.AllFields); missing > 0 {
		why = append(why, fmt.Sprintf("%d answers of the application about its elements are missing", missing))
	}
	remark.Partial(ctx, why)
	out := make([]*pb.Element, len(page))
	for i, n := range page {
		out[i] = message.Element(t.Element(n))
	}
	return out, next, nil
}

// FindElements lists the elements that match a selector.
func (p *elementService) FindElements(ctx context.Context, r *pb.FindElementsRequest) (*pb.FindElementsResponse, error) {
	fits, err := selector.Parse(r.GetSelector())
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	t, nodes, err := p.search(ctx, r.GetParent(), atspi.Query{Selector: fits, Visible: r.GetVisibleOnly()})
	if err != nil {
		return nil, err
	}
	list, next, err := p.page(ctx, t, nodes, r.GetPageSize(), r.GetPageToken(), paging.Scope("elements", r.GetParent(), r.GetSelector().String(), fmt.Sprint(r.GetVisibleOnly())))
	if err != nil {
		return nil, err
	}
	return &pb.FindElementsResponse{Elements: list, NextPageToken: next}, nil
}

// FindRegionElements lists the elements that overlap a region of the screen.
func (p *elementService) FindRegionElements(ctx context.Context, r *pb.FindRegionElementsRequest) (*pb.FindRegionElementsResponse, error) {
	fits, err := selector.Parse(r.GetSelector())
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	if p.c.wl != nil {
		return nil, errNoPositions
	}
	g := r.GetRegion()
	area := element.Rect{X: g.GetX(), Y: g.GetY(), Width: g.GetWidth(), Height: g.GetHeight()}
	if area.Empty() || math.IsNaN(area.X+area.Y+area.Width+area.Height) {
		return nil, fault.Invalid("the region is empty")
	}
	t, nodes, err := p.search(ctx, r.GetParent(), atspi.Query{Selector: fits, Visible: true, Region: &area})
	if err != nil {
		return nil, err
	}
	list, next, err := p.page(ctx, t, nodes, r.GetPageSize(), r.GetPageToken(), paging.Scope("region", r.GetParent(), r.GetSelector().String(), fmt.Sprint(area)))
	if err != nil {
		return nil, err
	}
	return &pb.FindRegionElementsResponse{Elements: list, NextPageToken: next}, nil
}

// TraverseAccessibility lists all elements of an application, with statistics.
func (p *elementService) TraverseAccessibility(ctx context.Context, r *pb.TraverseAccessibilityRequest) (*pb.TraverseAccessibilityResponse, error) {
	pid, err := resourcename.ParseApplication(r.GetName())
	if err != nil {
		return nil, err
	}
	if r.GetActivate() {
		if err := p.activate(ctx, pid, action{method: "TraverseAccessibility", request: r}); err != nil {
			return nil, err
		}
	}
	t, nodes, err := p.find(ctx, r.GetName(), atspi.Query{Visible: r.GetVisibleOnly()})
	if err != nil {
		return nil, err
	}
	why := slices.Clone(t.Partial)
	if missing := t.Fetch(ctx, nodes, element.FieldBounds|element.FieldText); missing > 0 {
		why = append(why, fmt.Sprintf("%d answers of the application about its elements are missing", missing))
	}
	remark.Partial(ctx, why)
	out := &pb.TraverseAccessibilityResponse{App: t.App.Name, ProcessingTime: timestamppb.Now(), Stats: &pb.TraversalStats{RoleCounts: make(map[string]int32)}}
	for _, n := range nodes {
		e := message.Element(t.Element(n))
		out.Elements = append(out.Elements, e)
		out.Stats.Count++
		out.Stats.RoleCounts[e.GetRole()]++
		if e.GetText() != "" {
			out.Stats.TextElementsCount++
		} else {
			out.Stats.NonTextElementsCount++
		}
		if t.Element(n).Visible {
			out.Stats.VisibleElementsCount++
		}
	}
	out.Stats.ExcludedCount = int32(max(0, len(t.Nodes)-1-len(nodes)))
	return out, nil
}

// activate raises a window of an application.
func (p *elementService) activate(ctx context.Context, pid int, a action) error {
	a.target = resourcename.Application(pid)
	s, err := p.c.screen()
	if err != nil {
		return err
	}
	return p.c.act(ctx, a, func(ctx context.Context) (string, error) {
		all, err := s.desktop.Windows()
		if err != nil {
			return "", err
		}
		for _, w := range all {
			if w.PID == pid {
				_, err := s.desktop.Activate(ctx, w.ID)
				return "", err
			}
		}
		return "", fault.NotFound("%s has no window", resourcename.Application(pid))
	})
}

// errSlow reports that an application did not return all of its elements in time.
var errSlow = errors.New("the application answers slowly")

// look returns a function that lists the elements for an observation. Its error is errSlow while the
// application is slow, because elements that it did not return in time would be reported as gone.
func (p *elementService) look(pid int, q atspi.Query) func(context.Context) ([]*pb.Element, error) {
	return func(ctx context.Context) ([]*pb.Element, error) {
		t, nodes, err := p.find(ctx, resourcename.Application(pid), q)
		if err != nil {
			return nil, err
		}
		t.Fetch(ctx, nodes, element.FieldBounds|element.FieldText|element.FieldAttributes)
		if !t.Complete() {
			return nil, errSlow
		}
		out := make([]*pb.Element, len(nodes))
		for i, n := range nodes {
			out[i] = message.Element(t.Element(n))
		}
		return out, nil
	}
}

// target returns an element that the caller has seen.
func (p *elementService) target(ctx context.Context, pid int, id string) (*atspi.Bus, atspi.Target, error) {
	bus, err := p.c.elements(ctx)
	if err != nil {
		return nil, atspi.Target{}, err
	}
	t, ok := bus.Target(id)
	if !ok || t.PID != pid {
		return nil, t, fault.NotFound("there is no element %d:%s; find the element again", pid, id)
	}
	return bus, t, fault.Status(p.c.guard.Element(pid))
}

// slowTree is how long a slow application may take to show an element.
const slowTree = 3 * time.Second

// element reads an element that the caller saw, as it is now. Only a whole tree shows that
// an element is gone: from another one it may be missing because the application is slow.
func (p *elementService) element(ctx context.Context, pid int, id string) (element.Element, error) {
	_, target, err := p.target(ctx, pid, id)
	if err != nil {
		return element.Element{}, err
	}
	for end := time.Now().Add(slowTree); ; {
		t, err := p.tree(ctx, pid)
		if err != nil {
			return element.Element{}, err
		}
		for i, n := range t.Nodes {
			if n.Ref == target.Ref {
				t.Fetch(ctx, []int{i}, element.AllFields)
				remark.Partial(ctx, t.Partial)
				return t.Element(i), nil
			}
		}
		if t.Complete() {
			return element.Element{}, fault.NotFound("the element %q of %s is gone; find the elements again", id, resourcename.Application(pid))
		}
		if time.Now().After(end) {
			return element.Element{}, fault.Status(&atspi.HungError{Name: t.App.Name})
		}
		if err := pause(ctx); err != nil {
			return element.Element{}, err
		}
	}
}

// GetElement returns the current state of an element.
func (p *elementService) GetElement(ctx context.Context, r *pb.GetElementRequest) (*pb.Element, error) {
	pid, id, err := resourcename.ParseElement(r.GetName())
	if err != nil {
		return nil, err
	}
	e, err := p.element(ctx, pid, id)
	if err != nil {
		return nil, err
	}
	bus, t, err := p.target(ctx, pid, id)
	if err != nil {
		return nil, err
	}
	return message.Element(atspi.Whole(ctx, bus, t, e)), nil
}

// GetElementActions lists the actions of an element.
func (p *elementService) GetElementActions(ctx context.Context, r *pb.GetElementActionsRequest) (*pb.ElementActions, error) {
	pid, id, err := resourcename.ParseElement(r.GetName())
	if err != nil {
		return nil, err
	}
	bus, t, err := p.target(ctx, pid, id)
	if err != nil {
		return nil, err
	}
	list, err := bus.Actions(ctx, t)
	if err != nil {
		return nil, fault.Status(err)
	}
	return &pb.ElementActions{Actions: list}, nil
}

// WatchAccessibility streams the changes of an application's elements until the caller cancels.
func (p *elementService) WatchAccessibility(r *pb.WatchAccessibilityRequest, stream grpc.ServerStreamingServer[pb.WatchAccessibilityResponse]) error {
	pid, err := resourcename.ParseApplication(r.GetName())
	if err != nil {
		return err
	}
	interval, err := interval(r.GetPollInterval())
	if err != nil {
		return err
	}
	return p.watch(stream.Context(), pid, r.GetVisibleOnly(), interval, func(c *pb.WatchAccessibilityResponse) error { return stream.Send(c) })
}

func interval(s float64) (time.Duration, error) {
	if s == 0 {
		return time.Second, nil
	}
	return inputaction.Seconds("a poll_interval", s)
}
