package client

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Call runs a tool, named by its qualified name, and returns what the server
// answered. Nil args are an empty object.
//
// A result with isError set comes back together with an [ErrTool], so that
// nobody takes it for a success. Every other error comes alone: an [*Error], or
// the error of ctx where the caller gave up. When the time is over or ctx ends,
// the server is told to cancel the call.
func (h *Host) Call(ctx context.Context, name string, args map[string]any) (*mcp.CallToolResult, error) {
	h.mu.Lock()
	entry, ok := h.reg.Lookup(name)
	var s *server
	for _, o := range h.servers {
		if ok && o.view.ID == entry.Server {
			s = o
		}
	}
	h.mu.Unlock()
	if s == nil {
		e := &Error{Kind: ErrToolNotFound, Subject: name}
		h.log(ctx, "calling tool", e, "tool", name)
		return nil, e
	}
	if args == nil {
		args = map[string]any{}
	}

	_, limit := h.Timeouts()
	limited, cancel := s.limit(ctx, limit)
	defer cancel()
	result, err := s.session.CallTool(limited, &mcp.CallToolParams{Name: entry.Tool.Name, Arguments: args})
	switch {
	case err == nil && !result.IsError:
		return result, nil
	case err == nil:
		err = &Error{Kind: ErrTool, Subject: name, Err: errors.New(text(result))}
	case ctx.Err() != nil:
		return nil, fmt.Errorf("calling %s: %w", name, ctx.Err())
	default:
		err = s.callError(limited, name, limit, err)
	}
	h.log(ctx, "calling tool", err, "tool", name, "server", s.view.ID)
	return result, err
}

// limit bounds a call by a limit and by the life of the server. The
// time that a person takes to answer the server's questions does not count.
func (s *server) limit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	started := make(chan struct{})
	var timer *time.Timer
	timer = time.AfterFunc(limit, func() {
		<-started
		if s.asking.Load() > 0 {
			timer.Reset(limit)
			return
		}
		cancel(ErrCallTimeout)
	})
	close(started)
	detach := context.AfterFunc(s.ctx, func() { cancel(errStopped) })
	return ctx, func() {
		timer.Stop()
		detach()
		cancel(nil)
	}
}

// callError turns the failure of a call into the seed's words.
func (s *server) callError(ctx context.Context, name string, limit time.Duration, err error) error {
	var wire *jsonrpc.Error
	switch {
	case errors.Is(context.Cause(ctx), ErrCallTimeout):
		return &Error{Kind: ErrCallTimeout, Subject: name, After: limit}
	case errors.Is(context.Cause(ctx), errStopped), died(err):
		return &Error{Kind: ErrDisconnected, Subject: name}
	case errors.As(err, &wire):
		return &Error{Kind: ErrTool, Subject: name, Err: wire}
	}
	return &Error{Kind: ErrTool, Subject: name, Err: err}
}

// text is what a failed tool said.
func text(r *mcp.CallToolResult) string {
	var said []string
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			said = append(said, t.Text)
		}
	}
	if len(said) == 0 {
		return "the server gave no reason"
	}
	return strings.Join(said, "\n")
}
