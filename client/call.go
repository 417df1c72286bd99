package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client/internal/answers"
	"goated/client/internal/toolcall"
	"goated/registry"
)

// Call runs the tool with a qualified name and returns the server's result. Nil args
// are an empty object.
//
// A result with isError set comes with an [ErrTool]. Any other error comes without a
// result: an [*Error], or the error of ctx. If the limit is exceeded or ctx ends, goated
// sends a cancellation to the server.
//
// report receives the progress of the call. While no other call runs, it also receives the server's
// log messages. Call runs it on a goroutine, at most 30 times a second, and waits for it, so it may
// block. It may be nil.
func (h *Host) Call(ctx context.Context, name string, args map[string]any, report func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	return call(ctx, h, registry.Entry{Name: name}, args, report)
}

// CallEntry is [Host.Call] for the tool that [Host.Lookup] returned as e, and no other.
// If the server of that name starts in another way now, or its tool has another
// definition, the error is [ErrChanged] and nothing runs.
func (h *Host) CallEntry(ctx context.Context, e registry.Entry, args map[string]any, report func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	if err := h.list.settle(ctx, e); err != nil {
		if errors.Is(err, ErrChanged) {
			h.o.logError(ctx, "calling tool", err, "tool", e.Name)
		}
		return nil, err
	}
	return call(ctx, h, e, args, report)
}

// WithUserTime returns a context for one call, and a function that returns how long questions of that
// call have been open to the user. A question that names no call counts for every call of its server.
func WithUserTime(ctx context.Context) (context.Context, func() time.Duration) {
	ctx, t := toolcall.WithUserTime(ctx)
	return ctx, t.Total
}

// A target is the tool that a call runs, on the connection that its server has at that moment.
type target struct {
	server  *server
	session *mcp.ClientSession // nil: not connected
	link    *link
	tool    *mcp.Tool
}

// targetOf finds the tool of a call and counts the call as running. The caller must call End on the
// server's inFlight.
func targetOf(h *Host, approved registry.Entry) (target, *Error) {
	h.list.mu.Lock()
	defer h.list.mu.Unlock()
	entry, ok := h.list.reg.Lookup(approved.Name)
	if !ok {
		return target{}, notFoundError(&h.list.reg, approved.Name)
	}
	if approved.Tool != nil && !approved.Same(entry) {
		return target{}, &Error{Kind: ErrChanged, Subject: approved.Name}
	}
	for _, s := range h.list.servers {
		if s.view.ID == entry.Server {
			s.inFlight.Begin()
			s.view.Used = time.Now()
			return target{s, s.session, s.link, entry.Tool}, nil
		}
	}
	return target{}, &Error{Kind: ErrToolNotFound, Subject: approved.Name} // its server left the list
}

// call runs a tool. If approved has a tool, it must be the current tool with that name.
func call(ctx context.Context, h *Host, approved registry.Entry, args map[string]any, report func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	name := approved.Name
	on, refused := targetOf(h, approved)
	if refused != nil {
		h.o.logError(ctx, "calling tool", refused, "tool", name)
		return nil, refused
	}
	s := on.server
	released := false
	release := func() { // not a sync.OnceFunc, which takes three allocations
		if !released {
			released = true
			s.inFlight.End()
		}
	}
	defer release()
	if on.session == nil {
		e := &Error{Kind: ErrDisconnected, Subject: name}
		h.o.logError(ctx, "calling tool", e, "tool", name, "server", s.view.ID)
		return nil, e
	}
	if args == nil {
		args = map[string]any{}
	}

	if err := h.lists.Used(s.key, time.Now()); err != nil {
		h.o.Logger.Warn("keeping the time of a call", "cause", err)
	}
	progress := toolcall.NewThrottle(report)
	defer progress.Close()
	token := s.calls.Begin(progress)
	defer s.calls.End(token)
	defer s.times.Begin(ctx)()
	_, limit := h.Timeouts()
	r := &toolCall{server: s, session: on.session, tool: on.tool.Name, args: args, token: token, limit: callLimit{limit, time.Now(), progress}}
	if report != nil { // since 2026-07-28 servers log only for a call that wants it
		r.level = "info"
	}
	before, written := refusalCount(s), on.link.log.Written()
	result, err := r.send(ctx, on.link)
	release()
	switch {
	case err == nil && !result.IsError:
		if wrong := s.outputs.Check(on.tool, result); wrong != nil {
			h.o.Logger.Warn("a result breaks its output schema", "tool", name, "server", s.view.ID, "cause", wrong)
		}
		return result, nil
	case err == nil:
		if on.link.process != nil {
			on.link.process.Settle(ctx)
		}
		said := toolcall.Text(result)
		s.keepEvidence(said, args, before)
		err = &Error{Kind: ErrTool, Subject: name, Err: errors.New(said), HasServerText: said != toolcall.NoReason, Stderr: redacted(s, on.link.log.Since(written))}
	case ctx.Err() != nil:
		return nil, fmt.Errorf("calling %s: %w", name, ctx.Err())
	default:
		err = s.callError(ctx, name, err, func(e *Error) {
			e.Stderr, e.Err = answers.ExplainNoResponse(on.link.SkippedOutput(r.limit.began), on.link.log.Since(written))
			e.Stderr = redacted(s, e.Stderr)
		})
	}
	if failedToAsk(s, err) {
		return callAgain(ctx, s, approved, args, report)
	}
	h.o.logError(ctx, "calling tool", err, "tool", name, "server", s.view.ID)
	return result, err
}
