package backend

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"goated/servers/desktop/element"
	"goated/servers/desktop/fault"
	"goated/servers/desktop/inputaction"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/paging"
	"goated/servers/desktop/resourcename"
	"goated/servers/desktop/x11"
)

// maxInputs is the maximum number of past inputs that can be looked up.
const maxInputs = 1000

// An inputService performs mouse and keyboard actions.
type inputService struct {
	c *core

	mu   sync.Mutex
	next int
	list []*pb.Input // oldest first
}

// anyPID stands for all processes. 0 stands for the windows that name no process.
const anyPID = -1

// parent parses the parent of an input. It returns the PID of the process that the input is for, or
// anyPID, and the prefix of the input's name.
func (p *inputService) parent(name string) (pid int, prefix string, err error) {
	switch name {
	case "":
		return anyPID, "desktopInputs/", nil
	case "applications/" + resourcename.AnyApplication:
		return anyPID, name + "/inputs/", nil
	}
	pid, err = resourcename.ParseApplication(name)
	return pid, name + "/inputs/", err
}

// CreateInput performs an input and returns when it is done. It refuses an input for an application
// that would reach another one.
func (p *inputService) CreateInput(ctx context.Context, r *pb.CreateInputRequest) (*pb.Input, error) {
	pid, prefix, err := p.parent(r.GetParent())
	if err != nil {
		return nil, err
	}
	if err := resourcename.CheckID("input_id", r.GetInputId()); err != nil {
		return nil, err
	}
	do, target, err := p.prepare(ctx, pid, r.GetInput().GetAction())
	if err != nil {
		return nil, err
	}
	in, err := p.add(prefix, r)
	if err != nil {
		return nil, err
	}
	before := p.c.inputTarget(ctx, pid, r.GetInput().GetAction())
	does := action{method: "CreateInput", does: inputaction.Kind(r.GetInput().GetAction()), request: r, target: target, before: before.words, secret: before.typedSecret(r.GetInput().GetAction())}
	err = p.c.act(ctx, does, func(ctx context.Context) (string, error) {
		if pid != anyPID {
			ctx = withExpectedPID(ctx, pid)
			if s := p.c.x; s != nil {
				if err := s.focusForKeys(ctx, pid, r.GetInput().GetAction()); err != nil {
					return "", err
				}
			}
		}
		if err := do(ctx); err != nil {
			return "", err
		}
		return p.c.inputTarget(ctx, pid, r.GetInput().GetAction()).words, nil
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	in.CompleteTime = timestamppb.Now()
	in.State = pb.Input_STATE_COMPLETED
	if err != nil {
		in.State, in.Error = pb.Input_STATE_FAILED, status.Convert(err).Message()
		return nil, err
	}
	return proto.Clone(in).(*pb.Input), nil
}

// prepare checks an input for the process pid, or for any process if pid is anyPID. It returns the
// function that performs it, and its target in words.
func (p *inputService) prepare(ctx context.Context, pid int, a *pb.InputAction) (do func(context.Context) error, target string, err error) {
	if w := p.c.wl; w != nil {
		if do, err = w.action(a); err != nil {
			return nil, "", err
		}
		target = "the window with the keys"
		if f, ok, err := w.Focused(ctx); err == nil && ok {
			target = fmt.Sprintf("the window %q of %s", f.Title, f.Class)
		}
		return do, target, nil
	}
	s, err := p.c.screen()
	if err != nil {
		return nil, "", err
	}
	do, err = s.action(a)
	return do, s.target(pid, a), err
}

// add stores an input that starts now.
func (p *inputService) add(prefix string, r *pb.CreateInputRequest) (*pb.Input, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	taken := func(name string) bool {
		return slices.ContainsFunc(p.list, func(o *pb.Input) bool { return o.GetName() == name })
	}
	name := prefix + r.GetInputId()
	for r.GetInputId() == "" && (name == prefix || taken(name)) { // a caller may have chosen this name already
		p.next++
		name = fmt.Sprintf("%sinput-%d", prefix, p.next)
	}
	in := &pb.Input{Name: name, Action: proto.Clone(r.GetInput().GetAction()).(*pb.InputAction), State: pb.Input_STATE_EXECUTING, CreateTime: timestamppb.Now()}
	if taken(name) {
		return nil, status.Errorf(codes.AlreadyExists, "there is an input %s already", in.GetName())
	}
	if t := in.GetAction().GetTypeText(); t != nil { // the typed text is not kept
		t.Text = fmt.Sprintf("(%d characters)", len([]rune(t.Text)))
	}
	p.list = append(p.list, in)
	p.list = p.list[max(0, len(p.list)-maxInputs):]
	return in, nil
}

// focusForKeys focuses an application before text or a key is typed into it.
func (s *screen) focusForKeys(ctx context.Context, pid int, a *pb.InputAction) error {
	if a.GetTypeText() == nil && a.GetPressKey() == nil {
		return nil
	}
	w, focused, err := s.windowForKeys(pid)
	if err == nil && !focused {
		_, err = s.desktop.Activate(ctx, w.ID)
	}
	return err
}

// windowForKeys returns the window that receives the keys for a process: the focused one, or the one that
// focusForKeys focuses.
func (s *screen) windowForKeys(pid int) (w x11.Window, focused bool, err error) {
	w, focused, err = s.desktop.Focused()
	if err != nil || focused && (pid == anyPID || w.PID == pid) {
		return w, focused, err
	}
	all, err := s.desktop.Windows()
	for _, w := range all {
		if w.PID == pid && w.Visible() && (w.Type == "normal" || w.Type == "dialog") {
			return w, false, nil
		}
	}
	return x11.Window{}, false, firstError(err, fault.NotFound("%s has no visible window", resourcename.Application(pid)))
}

// position returns where an input acts, or nil if it acts on the focused window.
func (s *screen) position(a *pb.InputAction) *pb.Point {
	at := inputaction.Position(a)
	if at == nil && a.GetScroll() != nil { // scrolls at the pointer
		if x, y, err := s.desktop.Cursor(); err == nil {
			return &pb.Point{X: float64(x), Y: float64(y)}
		}
	}
	return at
}

// target describes the target of an input for the journal.
func (s *screen) target(pid int, a *pb.InputAction) string {
	if at := s.position(a); at != nil {
		if w, ok, err := s.desktop.At(int(at.GetX()), int(at.GetY())); err == nil && ok {
			return fmt.Sprintf("the point %.0f, %.0f of the window %q of %s", at.GetX(), at.GetY(), w.Title, w.Class)
		}
		return fmt.Sprintf("the point %.0f, %.0f", at.GetX(), at.GetY())
	}
	if w, _, err := s.windowForKeys(pid); err == nil {
		return fmt.Sprintf("the window %q of %s", w.Title, w.Class)
	}
	return "the desktop"
}

// GetInput returns a past input.
func (p *inputService) GetInput(_ context.Context, r *pb.GetInputRequest) (*pb.Input, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, in := range p.list {
		if in.GetName() == r.GetName() {
			return proto.Clone(in).(*pb.Input), nil
		}
	}
	return nil, fault.NotFound("there is no input %q; the last %d are kept", r.GetName(), maxInputs)
}

// ListInputs lists the inputs of an application or of the desktop, oldest first. applications/-
// lists all of them.
func (p *inputService) ListInputs(_ context.Context, r *pb.ListInputsRequest) (*pb.ListInputsResponse, error) {
	_, prefix, err := p.parent(r.GetParent())
	if err != nil {
		return nil, err
	}
	filter, err := paging.ParseFilter(r.GetFilter(), map[string]paging.Kind{"state": paging.Enum})
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	var all []*pb.Input
	p.mu.Lock()
	for _, in := range p.list {
		if r.GetParent() == "applications/"+resourcename.AnyApplication || strings.HasPrefix(in.GetName(), prefix) {
			all = append(all, proto.Clone(in).(*pb.Input))
		}
	}
	p.mu.Unlock()
	all = paging.Apply(all, filter, func(in *pb.Input, _ string) any { return strings.TrimPrefix(in.GetState().String(), "STATE_") })
	page, next, err := paging.Page(p.c.tokens, all, r.GetPageSize(), r.GetPageToken(), paging.Scope("inputs", r.GetParent(), r.GetFilter()))
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	return &pb.ListInputsResponse{Inputs: page, NextPageToken: next}, nil
}

// A point is a validated position.
type point struct{ x, y int }

func pointOf(p *pb.Point) (point, error) {
	if p == nil {
		return point{}, fault.Invalid("the position is missing")
	}
	v, err := inputaction.Pixels(p.GetX(), p.GetY())
	if err != nil {
		return point{}, err
	}
	return point{v[0], v[1]}, nil
}

func (p point) shared() element.Point { return element.Point{X: float64(p.x), Y: float64(p.y)} }
