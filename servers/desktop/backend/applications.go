package backend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"

	"goated/servers/desktop/apps"
	"goated/servers/desktop/atspi"
	"goated/servers/desktop/fault"
	"goated/servers/desktop/guard"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/message"
	"goated/servers/desktop/openable"
	"goated/servers/desktop/paging"
	"goated/servers/desktop/remark"
	"goated/servers/desktop/resourcename"
	"goated/servers/desktop/x11"
)

// An applicationService lists and opens applications, which are processes with windows or elements.
type applicationService struct {
	c       *core
	started apps.Programs // on the hidden desktop

	mu     sync.Mutex
	hidden map[int]bool // processes that DeleteApplication removed from the list
}

// running lists the processes that have windows or elements, by PID.
func (a *applicationService) running(ctx context.Context) ([]*pb.Application, error) {
	names := make(map[int]string)
	if s, err := a.c.screen(); err == nil {
		all, err := s.desktop.Windows()
		if err != nil {
			return nil, fault.Status(err)
		}
		for _, w := range all {
			if w.Type != "desktop" && w.Type != "dock" && names[w.PID] == "" {
				names[w.PID] = cmp.Or(w.Class, apps.Name(w.PID), w.Title)
			}
		}
	} else if bus, err := a.c.elements(ctx); err != nil {
		return nil, err
	} else {
		all, err := bus.Applications(ctx)
		if err != nil {
			return nil, fault.Status(err)
		}
		for _, x := range all {
			names[x.PID] = x.Name
		}
	}
	var out []*pb.Application
	for pid, name := range names {
		if !a.c.guard.OwnsPID(pid) {
			out = append(out, &pb.Application{Name: resourcename.Application(pid), Pid: int32(pid), DisplayName: name})
		}
	}
	slices.SortFunc(out, func(x, y *pb.Application) int { return cmp.Compare(x.Pid, y.Pid) })
	return out, nil
}

// ListApplications lists the applications.
func (a *applicationService) ListApplications(ctx context.Context, r *pb.ListApplicationsRequest) (*pb.ListApplicationsResponse, error) {
	order, err := paging.ParseOrder(r.GetOrderBy(), "name", "pid", "display_name")
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	filter, err := paging.ParseFilter(r.GetFilter(), map[string]paging.Kind{"name": paging.String, "pid": paging.Number, "display_name": paging.String})
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	all, err := a.running(ctx)
	if err != nil {
		return nil, err
	}
	all = a.listed(all)
	get := func(x *pb.Application, field string) any {
		switch field {
		case "name":
			return x.GetName()
		case "pid":
			return int64(x.GetPid())
		}
		return x.GetDisplayName()
	}
	all = paging.Apply(all, filter, get)
	paging.Sort(all, order, get)
	page, next, err := paging.Page(a.c.tokens, all, r.GetPageSize(), r.GetPageToken(), paging.Scope("applications", r.GetFilter(), r.GetOrderBy()))
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	return &pb.ListApplicationsResponse{Applications: page, NextPageToken: next}, nil
}

// listed removes the applications that DeleteApplication hid. It forgets those that have ended,
// because another process may get their PID.
func (a *applicationService) listed(all []*pb.Application) []*pb.Application {
	a.mu.Lock()
	defer a.mu.Unlock()
	maps.DeleteFunc(a.hidden, func(pid int, _ bool) bool { return pid != 0 && !apps.Running(pid) })
	return slices.DeleteFunc(all, func(x *pb.Application) bool { return a.hidden[int(x.Pid)] })
}

// application returns a running application.
func (a *applicationService) application(ctx context.Context, name string) (*pb.Application, error) {
	if _, err := resourcename.ParseApplication(name); err != nil {
		return nil, err
	}
	all, err := a.running(ctx)
	if err != nil {
		return nil, err
	}
	for _, x := range all {
		if x.GetName() == name {
			return x, nil
		}
	}
	return nil, fault.NotFound("there is no application %s with a window; list the applications", name)
}

// GetApplication returns one application.
func (a *applicationService) GetApplication(ctx context.Context, r *pb.GetApplicationRequest) (*pb.Application, error) {
	x, err := a.application(ctx, r.GetName())
	if err != nil {
		return nil, err
	}
	return message.Masked(x, r.GetReadMask())
}

// DeleteApplication removes an application from the list until it is opened again. The application
// keeps running.
func (a *applicationService) DeleteApplication(ctx context.Context, r *pb.DeleteApplicationRequest) (*emptypb.Empty, error) {
	x, err := a.application(ctx, r.GetName())
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.hidden[int(x.GetPid())] = true
	remark.Unused(ctx, r, "an application in use leaves the list without it, and keeps running", "force")
	return new(emptypb.Empty), nil
}

// openTimeout is the maximum time that an application may take to show a window.
const openTimeout = 30 * time.Second

// OpenApplication activates a running application, or starts it and waits for its window.
func (a *applicationService) OpenApplication(ctx context.Context, r *pb.OpenApplicationRequest) (*longrunningpb.Operation, error) {
	if strings.TrimSpace(r.GetId()) == "" {
		return nil, fault.Invalid("the application has no name: id is a name like Calculator, a desktop file or a path")
	}
	s := a.c.x
	if s != nil {
		if _, err := a.c.screen(); err != nil {
			return nil, err
		}
	} else if _, err := a.c.elements(ctx); err != nil { // a program that starts earlier shows no elements
		return nil, err
	}
	return a.c.operations.Start("open", &pb.OpenApplicationMetadata{Id: r.GetId()}, func(ctx context.Context, _ func(proto.Message)) (proto.Message, error) {
		ctx, cancel := context.WithTimeoutCause(ctx, openTimeout, status.Errorf(codes.DeadlineExceeded, "%q showed no window within %v", r.GetId(), openTimeout))
		defer cancel()
		opened := new(pb.Application)
		err := a.c.act(ctx, action{method: "OpenApplication", request: r, target: r.GetId(), opened: opened, before: a.c.inputTarget(ctx, anyPID, nil).words}, func(ctx context.Context) (string, error) {
			w, err := a.open(ctx, s, r.GetId(), r.GetBackground())
			if err != nil {
				if cause := context.Cause(ctx); cause != nil {
					err = cause
				}
				return "", err
			}
			opened.Name, opened.Pid, opened.DisplayName = resourcename.Application(w.PID), int32(w.PID), cmp.Or(w.Class, apps.Name(w.PID))
			return fmt.Sprintf("%s shows the window %q", opened.Name, w.Title), nil
		})
		if err != nil {
			return nil, err
		}
		return &pb.OpenApplicationResponse{Application: opened}, nil
	})
}

// open activates or starts an application and returns its window.
func (a *applicationService) open(ctx context.Context, s *screen, id string, background bool) (x11.Window, error) {
	entry, known := apps.Find(apps.Installed(a.c.o.Getenv), id)
	if !known {
		entry = apps.Entry{Name: filepath.Base(id), Args: []string{id}}
	}
	for _, program := range entry.Args { // "env A=b program" counts too
		if strings.HasPrefix(program, "-") || strings.Contains(program, "=") {
			continue
		}
		if err := a.c.guard.Open(program); err != nil {
			return x11.Window{}, err
		}
	}
	if s == nil {
		return a.launch(ctx, id, entry, known)
	}
	before, err := x11.WindowsWithout(ctx, s.desktop, func(w x11.Window) bool { return belongs(w, entry, id) && !apps.Running(w.PID) })
	if err != nil {
		return x11.Window{}, err
	}
	if !filepath.IsAbs(id) {
		for _, w := range before {
			if belongs(w, entry, id) {
				if !background {
					w, err = s.desktop.Activate(ctx, w.ID)
				}
				a.show(w.PID)
				return w, err
			}
		}
	}
	if entry.Terminal {
		return x11.Window{}, fmt.Errorf("%w: %s runs in a terminal only", x11.ErrRefused, entry.Name)
	}
	p, entry, err := a.start(ctx, id, entry, known)
	if err != nil {
		return x11.Window{}, err
	}
	defer p.Forget()
	w, err := a.waitFirstWindow(ctx, s, before, p, entry)
	if err != nil {
		return w, err
	}
	if !background && !w.Focused {
		if active, err := s.desktop.Activate(ctx, w.ID); err == nil {
			w = active
		}
	}
	a.show(w.PID)
	a.c.ready(ctx, s, w.PID)
	return w, nil
}

// start starts an application. It uses Options.Start if that is set and starts programs on this
// desktop. It returns the application's entry as far as it is known.
func (a *applicationService) start(ctx context.Context, id string, entry apps.Entry, known bool) (*apps.Process, apps.Entry, error) {
	if a.c.o.Start != nil && (a.c.workplace == nil || a.c.o.Workplace != nil) {
		if known {
			id = entry.ID + ".desktop"
		}
		p, entry, err := a.c.o.Start(ctx, id)
		var refusal *guard.Refusal
		switch {
		case errors.Is(err, apps.ErrUnknown):
			err = unknown(id)
		case err != nil && !errors.As(err, &refusal):
			err = fmt.Errorf("%w: %w", x11.ErrRefused, err)
		}
		return p, entry, err
	}
	if known {
		id = entry.ID + ".desktop"
	}
	entry, err := openable.Find(a.c.o.Getenv, a.c.o.Shell, id)
	if errors.Is(err, apps.ErrUnknown) {
		return nil, entry, unknown(id)
	}
	if err != nil {
		return nil, entry, err
	}
	start := apps.Start
	if a.c.workplace != nil {
		start = a.started.Start
	}
	p, err := start(apps.DesktopArgs(entry.Args), a.c.environ(), entry.Dir)
	if err != nil {
		return nil, entry, fmt.Errorf("%w: %w", x11.ErrRefused, err)
	}
	return p, entry, nil
}

func unknown(id string) error {
	return fault.NotFound("no application is called %q, and no program has this name", id)
}

const (
	// readiness is the maximum time that an application may take to become ready for keys.
	readiness = 5 * time.Second
	// calm is how long an application without a focused element must stay unchanged to count as ready.
	calm = time.Second
	// glance is the time between two looks at the application.
	glance = 50 * time.Millisecond
)

// ready waits until a new application processes events and has focused an element. Many
// applications show their window first and lose everything that is typed until then. An application
// without a focused element is ready when it no longer changes.
func (c *core) ready(ctx context.Context, s *screen, pid int) {
	ctx, cancel := context.WithTimeout(ctx, readiness)
	defer cancel()
	_ = s.input.Settle(ctx) // continues if there is no answer
	bus, _ := c.access.ForGuard(ctx)
	if bus == nil {
		return
	}
	tick := time.NewTicker(glance)
	defer tick.Stop()
	nodes, since := 0, time.Now()
	for time.Since(since) < calm {
		if app, err := bus.Application(ctx, pid); err == nil {
			tree, err := bus.Snapshot(ctx, app)
			if err == nil && slices.ContainsFunc(tree.Nodes, func(n atspi.Node) bool { return n.States.Has(atspi.StateFocused) }) {
				_ = s.input.Settle(ctx)
				return
			}
			if err == nil && len(tree.Nodes) != nodes {
				nodes, since = len(tree.Nodes), time.Now()
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// show puts an application back on the list.
func (a *applicationService) show(pid int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.hidden, pid)
}
