package backend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"goated/servers/desktop/guard"
	"goated/servers/desktop/journal"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/macro"
	"goated/servers/desktop/paging"
)

// mostMacros is how many macros are kept.
const mostMacros = 500

// A macros keeps macros and runs them.
type macros struct {
	c     *core
	world *world

	mu   sync.Mutex
	next int
	all  map[string]*pb.Macro // by name
}

// CreateMacro stores a macro.
func (p *macros) CreateMacro(_ context.Context, r *pb.CreateMacroRequest) (*pb.Macro, error) {
	m := clone(r.GetMacro())
	if m.GetDisplayName() == "" {
		return nil, invalid("the macro has no display_name")
	}
	if err := macro.Check(m); err != nil {
		return nil, invalid("%v", err)
	}
	id := r.GetMacroId()
	if id != "" && !identifier.MatchString(id) {
		return nil, invalid("the macro_id %q is not made of lower-case letters, digits and hyphens", id)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.all) >= mostMacros {
		return nil, status.Errorf(codes.ResourceExhausted, "there are %d macros already; delete some", len(p.all))
	}
	for id == "" || r.GetMacroId() == "" && p.all["macros/"+id] != nil {
		p.next++
		id = fmt.Sprintf("macro-%d", p.next)
	}
	m.Name = "macros/" + id
	if p.all[m.Name] != nil {
		return nil, status.Errorf(codes.AlreadyExists, "there is a macro %s already", m.Name)
	}
	m.CreateTime, m.ExecutionCount = timestamppb.Now(), 0
	m.UpdateTime = m.CreateTime
	p.all[m.Name] = m
	return clone(m), nil
}

func (p *macros) get(name string) (*pb.Macro, error) {
	m := p.all[name]
	if m == nil {
		return nil, notFound("there is no macro %q; list the macros", name)
	}
	return m, nil
}

// GetMacro returns a macro.
func (p *macros) GetMacro(_ context.Context, r *pb.GetMacroRequest) (*pb.Macro, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m, err := p.get(r.GetName())
	if err != nil {
		return nil, err
	}
	return clone(m), nil
}

// ListMacros lists the macros by name.
func (p *macros) ListMacros(_ context.Context, r *pb.ListMacrosRequest) (*pb.ListMacrosResponse, error) {
	p.mu.Lock()
	list := make([]*pb.Macro, 0, len(p.all))
	for _, m := range p.all {
		list = append(list, clone(m))
	}
	p.mu.Unlock()
	slices.SortFunc(list, func(a, b *pb.Macro) int { return cmp.Compare(a.GetName(), b.GetName()) })
	page, next, err := paging.Page(p.c.tokens, list, r.GetPageSize(), r.GetPageToken(), paging.Scope("macros"))
	if err != nil {
		return nil, invalid("%v", err)
	}
	return &pb.ListMacrosResponse{Macros: page, NextPageToken: next}, nil
}

// UpdateMacro changes the fields of a macro that the mask names; without one, those that are set.
func (p *macros) UpdateMacro(_ context.Context, r *pb.UpdateMacroRequest) (*pb.Macro, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	old, err := p.get(r.GetMacro().GetName())
	if err != nil {
		return nil, err
	}
	m, give := clone(old), r.GetMacro()
	paths := r.GetUpdateMask().GetPaths()
	if len(paths) == 1 && paths[0] == "*" {
		paths = []string{"display_name", "description", "actions", "parameters", "tags"}
	}
	if len(paths) == 0 {
		for field, set := range map[string]bool{"display_name": give.GetDisplayName() != "", "description": give.GetDescription() != "",
			"actions": len(give.GetActions()) > 0, "parameters": len(give.GetParameters()) > 0, "tags": len(give.GetTags()) > 0} {
			if set {
				paths = append(paths, field)
			}
		}
	}
	for _, path := range paths {
		switch path {
		case "display_name":
			m.DisplayName = give.GetDisplayName()
		case "description":
			m.Description = give.GetDescription()
		case "actions":
			m.Actions = clone(give).GetActions()
		case "parameters":
			m.Parameters = clone(give).GetParameters()
		case "tags":
			m.Tags = slices.Clone(give.GetTags())
		default:
			return nil, invalid("the field %q of a macro cannot be changed", path)
		}
	}
	if m.GetDisplayName() == "" {
		return nil, invalid("the macro has no display_name")
	}
	if err := macro.Check(m); err != nil {
		return nil, invalid("%v", err)
	}
	m.UpdateTime = timestamppb.Now()
	p.all[m.GetName()] = m
	return clone(m), nil
}

// DeleteMacro deletes a macro.
func (p *macros) DeleteMacro(_ context.Context, r *pb.DeleteMacroRequest) (*emptypb.Empty, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := p.get(r.GetName()); err != nil {
		return nil, err
	}
	delete(p.all, r.GetName())
	return new(emptypb.Empty), nil
}

// ExecuteMacro runs a macro.
func (p *macros) ExecuteMacro(_ context.Context, r *pb.ExecuteMacroRequest) (*longrunningpb.Operation, error) {
	p.mu.Lock()
	m, err := p.get(r.GetMacro())
	if err == nil {
		m.ExecutionCount++
		m = clone(m)
	}
	p.mu.Unlock()
	if err != nil {
		return nil, err
	}
	application := r.GetApplication()
	if application != "" {
		if _, err := pidOf(application); err != nil {
			return nil, err
		}
	}
	begin := time.Now()
	meta := &pb.ExecuteMacroMetadata{Macro: m.GetName()}
	return p.c.operations.Start("macro", meta, func(ctx context.Context, update func(proto.Message)) (proto.Message, error) {
		ctx, end, err := p.c.guard.Begin(ctx)
		if err != nil {
			return nil, fault(err)
		}
		defer end()
		ctx = journal.HideNamed(ctx, r.GetParameterValues())
		for _, given := range m.GetParameters() {
			ctx = journal.HideNamed(ctx, map[string]string{given.GetKey(): given.GetDefaultValue()})
		}
		w := *p.world
		w.application = application
		out, err := macro.Run(ctx, m, &w, macro.Options{Values: r.GetParameterValues(), Options: r.GetOptions(), Progress: func(done, total int32) {
			meta.CurrentAction, meta.TotalActions = done, total
			meta.ElapsedDuration = durationpb.New(time.Since(begin))
			update(clone(meta))
		}})
		switch {
		case errors.Is(context.Cause(ctx), guard.ErrHalted):
			return nil, fault(guard.ErrHalted)
		case err != nil && ctx.Err() == nil:
			return nil, invalid("%v", err)
		case err != nil:
			return nil, fault(err)
		}
		return out, nil
	})
}
