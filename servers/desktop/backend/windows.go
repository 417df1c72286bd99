package backend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"goated/servers/desktop/apps"
	"goated/servers/desktop/atspi"
	"goated/servers/desktop/fault"
	"goated/servers/desktop/inputaction"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/message"
	"goated/servers/desktop/paging"
	"goated/servers/desktop/remark"
	"goated/servers/desktop/resourcename"
	"goated/servers/desktop/x11"
)

// A windowService serves the windows of applications.
type windowService struct{ c *core }

// window returns the window with a name.
func (p *windowService) window(ctx context.Context, name string) (x11.Window, error) {
	if p.c.wl != nil {
		return p.c.wl.window(ctx, name)
	}
	s, err := p.c.screen()
	if err != nil {
		return x11.Window{}, err
	}
	return s.window(name)
}

// all lists the windows that do not belong to goated.
func (p *windowService) all(ctx context.Context) (list []x11.Window, silent []atspi.Application, err error) {
	if p.c.wl != nil {
		return p.c.wl.windows(ctx)
	}
	s, err := p.c.screen()
	if err != nil {
		return nil, nil, err
	}
	all, err := s.desktop.Windows()
	return slices.DeleteFunc(all, func(w x11.Window) bool { return s.guard.Window(elementWindow(w)) != nil }), nil, fault.Status(err)
}

// silentError returns an error if windows of a process, or of any process if pid is anyPID, are missing
// because the application does not answer.
func silentError(silent []atspi.Application, pid int) error {
	silent = slices.DeleteFunc(slices.Clone(silent), func(a atspi.Application) bool { return pid != anyPID && a.PID != pid })
	if len(silent) == 0 {
		return nil
	}
	return status.Errorf(codes.DeadlineExceeded, "the windows of %s are not known, because %s; try again", atspi.Names(silent), atspi.NoAnswerText(silent))
}

// sameTitleError returns an error with the windows that share w's title. Their elements cannot be told apart.
func (s *screen) sameTitleError(ctx context.Context, w x11.Window) error {
	all, err := s.windowsOf(ctx, w.PID)
	var names []string
	for _, o := range all {
		if o.Title == w.Title {
			names = append(names, fmt.Sprintf("%s/windows/%d at %.0f, %.0f", resourcename.Application(w.PID), o.ID, o.Bounds.X, o.Bounds.Y))
		}
	}
	return firstError(err, status.Errorf(codes.FailedPrecondition, "several windows have the title %q, and nothing tells which elements belong to which: %s. Move one of them, or ask for the elements of %s",
		w.Title, strings.Join(names, "; "), resourcename.Application(w.PID)))
}

// window returns the window with a name, including its position in the stacking order.
func (s *screen) window(name string) (x11.Window, error) {
	pid, id, err := resourcename.ParseWindow(name)
	if err != nil {
		return x11.Window{}, err
	}
	w, err := s.desktop.Window(id)
	if errors.Is(err, x11.ErrNoWindow) {
		err = fault.NotFound("there is no window %s; list the windows", name)
	}
	if err != nil {
		return w, fault.Status(err)
	}
	if w.PID != pid {
		return w, fault.NotFound("the window %d belongs to %s, not to %s", id, resourcename.Application(w.PID), resourcename.Application(pid))
	}
	if err := fault.Status(s.guard.Window(elementWindow(w))); err != nil {
		return w, err
	}
	all, err := s.desktop.Windows()
	if err != nil {
		return w, fault.Status(err)
	}
	for _, o := range all {
		if o.ID == id {
			w.Z, w.Hidden = o.Z, o.Hidden
		}
	}
	return w, nil
}

// GetWindow returns the current state of a window.
func (p *windowService) GetWindow(ctx context.Context, r *pb.GetWindowRequest) (*pb.Window, error) {
	w, err := p.window(ctx, r.GetName())
	if err != nil {
		return nil, err
	}
	return message.Masked(message.Window(w), r.GetReadMask())
}

// ListWindows lists the windows of an application, topmost first. As an extension of the original
// protocol, applications/- lists the windows of all applications.
func (p *windowService) ListWindows(ctx context.Context, r *pb.ListWindowsRequest) (*pb.ListWindowsResponse, error) {
	var err error
	everywhere := r.GetParent() == "applications/"+resourcename.AnyApplication
	pid := 0
	if !everywhere {
		if pid, err = resourcename.ParseApplication(r.GetParent()); err != nil {
			return nil, err
		}
	}
	order, err := paging.ParseOrder(r.GetOrderBy(), "window_id", "title", "z_order")
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	filter, err := paging.ParseFilter(r.GetFilter(), map[string]paging.Kind{"title": paging.String, "visible": paging.Bool, "minimized": paging.Bool, "focused": paging.Bool})
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	all, silent, err := p.all(ctx)
	if err == nil && !everywhere {
		err = silentError(silent, pid)
	}
	if err != nil {
		return nil, err
	}
	if len(silent) > 0 {
		remark.Add(ctx, "The windows of "+atspi.Names(silent)+" may be missing, because "+atspi.NoAnswerText(silent))
	}
	var list []x11.Window
	for _, w := range all {
		if everywhere || w.PID == pid {
			list = append(list, w)
		}
	}
	if len(list) == 0 && !everywhere {
		if p.c.guard.OwnsPID(pid) {
			return nil, fault.Status(fmt.Errorf("%w: process %d", x11.ErrOwn, pid))
		}
		if err := p.c.checkExists(pid); err != nil {
			return nil, err
		}
	}
	get := func(w x11.Window, field string) any {
		switch field {
		case "window_id":
			return int64(w.ID)
		case "title":
			return w.Title
		case "z_order":
			return int64(w.Z)
		case "visible":
			return w.Visible()
		case "focused":
			return w.Focused
		}
		return w.Minimized
	}
	list = paging.Apply(list, filter, get)
	paging.Sort(list, order, get)
	page, next, err := paging.Page(p.c.tokens, list, r.GetPageSize(), r.GetPageToken(), paging.Scope("windows", r.GetParent(), r.GetFilter(), r.GetOrderBy()))
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	out := &pb.ListWindowsResponse{NextPageToken: next}
	for _, w := range page {
		out.Windows = append(out.Windows, message.Window(w))
	}
	return out, nil
}

// GetWindowState returns the state of a window.
func (p *windowService) GetWindowState(ctx context.Context, r *pb.GetWindowStateRequest) (*pb.WindowState, error) {
	name, ok := strings.CutSuffix(r.GetName(), "/state")
	if !ok {
		return nil, fault.Invalid("%q is not a window state: its name ends with /state", name)
	}
	w, err := p.window(ctx, name)
	if err != nil {
		return nil, err
	}
	fullscreen := w.Fullscreen
	return &pb.WindowState{Name: r.GetName(), Resizable: w.Resizable(), Minimizable: w.Allows("MINIMIZE"), Closable: w.Allows("CLOSE"), Modal: w.Modal,
		Floating: w.Above, AxHidden: w.Hidden, Minimized: w.Minimized, Focused: w.Focused, Fullscreen: &fullscreen}, nil
}

// change performs an action on a window and returns the window afterwards.
func (p *windowService) change(ctx context.Context, a action, name string, do func(context.Context, *screen, x11.Window) (x11.Window, error)) (*pb.Window, error) {
	s, err := p.c.screen()
	if err != nil {
		return nil, err
	}
	w, err := s.window(name)
	if err != nil {
		return nil, err
	}
	a.target, a.before = fmt.Sprintf("window %q of %s", w.Title, cmp.Or(w.Class, resourcename.Application(w.PID))), w.Description()
	if a.undo == nil {
		before := w
		a.undo = func(ctx context.Context) error { return restore(ctx, s, before) }
	}
	err = p.c.act(ctx, a, func(ctx context.Context) (string, error) {
		after, err := do(ctx, s, w)
		if err == nil {
			if w.Minimized && !after.Minimized {
				s.waitIdle(ctx, after.PID) // a picture would be empty before that
			}
			w = after
		}
		return w.Description(), err
	})
	if err != nil {
		return nil, err
	}
	if w, err = s.window(name); err != nil {
		return nil, err
	}
	return message.Window(w), nil
}

// reacting is how long a program may take to react, for example to draw a window that is shown
// again, or to show an entry that a key opens.
const reacting = 500 * time.Millisecond

// waitIdle waits until a program has processed the last events and is idle. It is best effort,
// because no program reports when it has reacted.
func (s *screen) waitIdle(ctx context.Context, pid int) {
	ctx, cancel := context.WithTimeout(ctx, reacting)
	defer cancel()
	_ = s.input.Settle(ctx)
	_, _ = apps.WaitIdle(ctx, pid, reacting)
}

// restore returns a window to its earlier position and state.
func restore(ctx context.Context, s *screen, w x11.Window) error {
	if w.Minimized {
		_, err := s.desktop.Minimize(ctx, w.ID)
		return err
	}
	if _, err := s.desktop.Restore(ctx, w.ID); err != nil {
		return err
	}
	if w.Maximized {
		_, err := s.desktop.Maximize(ctx, w.ID, true)
		return err
	}
	if _, err := s.desktop.Resize(ctx, w.ID, w.Frame.W, w.Frame.H); err != nil {
		return err
	}
	_, err := s.desktop.Move(ctx, w.ID, w.Frame.X, w.Frame.Y)
	return err
}

// FocusWindow raises a window and gives it the keyboard focus.
func (p *windowService) FocusWindow(ctx context.Context, r *pb.FocusWindowRequest) (*pb.Window, error) {
	return p.change(ctx, action{method: "FocusWindow", request: r}, r.GetName(), func(ctx context.Context, s *screen, w x11.Window) (x11.Window, error) {
		return s.desktop.Activate(ctx, w.ID)
	})
}

// MoveWindow moves a window by its top left corner.
func (p *windowService) MoveWindow(ctx context.Context, r *pb.MoveWindowRequest) (*pb.Window, error) {
	at, err := inputaction.Pixels(r.GetX(), r.GetY())
	if err != nil {
		return nil, err
	}
	return p.change(ctx, action{method: "MoveWindow", request: r}, r.GetName(), func(ctx context.Context, s *screen, w x11.Window) (x11.Window, error) {
		return s.desktop.Move(ctx, w.ID, at[0], at[1])
	})
}

// ResizeWindow sets the size of a window, including its frame.
func (p *windowService) ResizeWindow(ctx context.Context, r *pb.ResizeWindowRequest) (*pb.Window, error) {
	size, err := inputaction.Pixels(r.GetWidth(), r.GetHeight())
	if err != nil {
		return nil, err
	}
	if size[0] < 1 || size[1] < 1 {
		return nil, fault.Invalid("a size of %d × %d: both are at least 1", size[0], size[1])
	}
	return p.change(ctx, action{method: "ResizeWindow", request: r}, r.GetName(), func(ctx context.Context, s *screen, w x11.Window) (x11.Window, error) {
		return s.desktop.Resize(ctx, w.ID, size[0], size[1])
	})
}

// MinimizeWindow minimizes a window.
func (p *windowService) MinimizeWindow(ctx context.Context, r *pb.MinimizeWindowRequest) (*pb.Window, error) {
	return p.change(ctx, action{method: "MinimizeWindow", request: r}, r.GetName(), func(ctx context.Context, s *screen, w x11.Window) (x11.Window, error) {
		return s.desktop.Minimize(ctx, w.ID)
	})
}

// RestoreWindow shows a minimized window again.
func (p *windowService) RestoreWindow(ctx context.Context, r *pb.RestoreWindowRequest) (*pb.Window, error) {
	return p.change(ctx, action{method: "RestoreWindow", request: r}, r.GetName(), func(ctx context.Context, s *screen, w x11.Window) (x11.Window, error) {
		return s.desktop.Restore(ctx, w.ID)
	})
}

// CloseWindow asks a window to close. With force, it disconnects the program from the display.
func (p *windowService) CloseWindow(ctx context.Context, r *pb.CloseWindowRequest) (*pb.CloseWindowResponse, error) {
	s, err := p.c.screen()
	if err != nil {
		return nil, err
	}
	w, err := s.window(r.GetName())
	if err != nil {
		return nil, err
	}
	a := action{method: "CloseWindow", request: r, target: fmt.Sprintf("window %q of %s", w.Title, w.Class), before: w.Description()}
	err = p.c.act(ctx, a, func(ctx context.Context) (string, error) {
		return "closed", s.desktop.CloseWindow(ctx, w.ID, r.GetForce())
	})
	return &pb.CloseWindowResponse{Success: err == nil}, err
}
