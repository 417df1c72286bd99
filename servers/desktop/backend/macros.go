package backend

import (
	"context"
	"errors"
	"time"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/emptypb"

	"goated/servers/desktop/fault"
	"goated/servers/desktop/guard"
	"goated/servers/desktop/journal"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/macro"
	"goated/servers/desktop/paging"
	"goated/servers/desktop/remark"
	"goated/servers/desktop/resourcename"
)

// A macroService stores macros and runs them.
type macroService struct {
	c     *core
	world *macroWorld
	store macro.Store
}

// CreateMacro stores a new macro.
func (p *macroService) CreateMacro(_ context.Context, r *pb.CreateMacroRequest) (*pb.Macro, error) {
	return p.store.Create(r.GetMacroId(), r.GetMacro())
}

// GetMacro returns a macro.
func (p *macroService) GetMacro(_ context.Context, r *pb.GetMacroRequest) (*pb.Macro, error) {
	return p.store.Get(r.GetName())
}

// ListMacros lists the macros, sorted by name.
func (p *macroService) ListMacros(_ context.Context, r *pb.ListMacrosRequest) (*pb.ListMacrosResponse, error) {
	page, next, err := paging.Page(p.c.tokens, p.store.List(), r.GetPageSize(), r.GetPageToken(), paging.Scope("macros"))
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	return &pb.ListMacrosResponse{Macros: page, NextPageToken: next}, nil
}

// UpdateMacro changes a macro.
func (p *macroService) UpdateMacro(_ context.Context, r *pb.UpdateMacroRequest) (*pb.Macro, error) {
	return p.store.Update(r.GetMacro(), r.GetUpdateMask().GetPaths())
}

// DeleteMacro deletes a macro.
func (p *macroService) DeleteMacro(ctx context.Context, r *pb.DeleteMacroRequest) (*emptypb.Empty, error) {
	err := p.store.Delete(r.GetName())
	if err == nil {
		remark.Unused(ctx, r, "a macro that runs is deleted without it, and runs to its end", "force")
	}
	return new(emptypb.Empty), err
}

// ExecuteMacro runs a macro.
func (p *macroService) ExecuteMacro(_ context.Context, r *pb.ExecuteMacroRequest) (*longrunningpb.Operation, error) {
	m, err := p.store.Use(r.GetMacro())
	if err != nil {
		return nil, err
	}
	application := r.GetApplication()
	if application != "" {
		if _, err := resourcename.ParseApplication(application); err != nil {
			return nil, err
		}
	}
	begin := time.Now()
	meta := &pb.ExecuteMacroMetadata{Macro: m.GetName()}
	return p.c.operations.Start("macro", meta, func(ctx context.Context, update func(proto.Message)) (proto.Message, error) {
		ctx, end, err := p.c.guard.Begin(ctx)
		if err != nil {
			return nil, fault.Status(err)
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
			return nil, fault.Status(guard.ErrHalted)
		case err != nil && ctx.Err() == nil:
			return nil, fault.Invalid("%v", err)
		case err != nil:
			return nil, fault.Status(err)
		}
		return out, nil
	})
}
