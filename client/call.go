package client

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Call runs a tool, named by its qualified name, and returns what the server
// answered. Nil args are an empty object.
//
// A result with isError set comes with an [ErrTool]. Any other error comes without a
// result: an [*Error], or the error of ctx. If the limit is exceeded or ctx ends, goated
// sends a cancellation to the server.
//
// report receives the progress of the call, and the server's log messages while no
// other call runs. It runs on a goroutine of the call, at most 30 times a second, and
// may block; Call waits for it. It may be nil.
func (h *Host) Call(ctx context.Context, name string, args map[string]any, report func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	h.list.mu.Lock()
	entry, ok := h.list.reg.Lookup(name)
	var s *server
	var session *mcp.ClientSession
	for _, o := range h.list.servers {
		if ok && o.view.ID == entry.Server {
			s, session = o, o.session
			s.talks.Add(1)
		}
	}
	h.list.mu.Unlock()
	if s == nil {
		e := &Error{Kind: ErrToolNotFound, Subject: name}
		h.o.logError(ctx, "calling tool", e, "tool", name)
		return nil, e
	}
	talked := sync.OnceFunc(s.talks.Done)
	defer talked()
	if session == nil {
		e := &Error{Kind: ErrDisconnected, Subject: name}
		h.o.logError(ctx, "calling tool", e, "tool", name, "server", s.view.ID)
		return nil, e
	}
	if args == nil {
		args = map[string]any{}
	}

	progress := newThrottle(report)
	defer progress.close()
	token := s.calls.begin(progress)
	defer s.calls.end(token)
	_, limit := h.Timeouts()
	limited, cancel := s.limit(ctx, limit, progress)
	defer cancel()
	params := &mcp.CallToolParams{Name: entry.Tool.Name, Arguments: args}
	if report != nil { // since 2026-07-28 servers log only for a call that wants it
		//lint:ignore SA1019 deprecated with logging itself
		params.Meta = mcp.Meta{mcp.MetaKeyLogLevel: "info"}
	}
	params.SetProgressToken(token)
	result, err := session.CallTool(limited, params)
	talked()
	switch {
	case err == nil && !result.IsError:
		return result, nil
	case err == nil:
		said := text(result)
		s.lacks(said)
		err = &Error{Kind: ErrTool, Subject: name, Err: errors.New(said)}
	case ctx.Err() != nil:
		return nil, fmt.Errorf("calling %s: %w", name, ctx.Err())
	default:
		err = s.callError(limited, name, err)
	}
	h.o.logError(ctx, "calling tool", err, "tool", name, "server", s.view.ID)
	return result, err
}

// patience times its limit is the longest duration of a call that makes progress.
const patience = 10

// limit bounds a call by a limit and by the life of the server. The limit starts again
// with each progress, up to patience times the limit in all. The time in which the user
// answers the server's questions does not count.
func (s *server) limit(ctx context.Context, limit time.Duration, r *throttle) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	began := time.Now() // the timer's alone from here on
	started := make(chan struct{})
	var timer *time.Timer
	timer = time.AfterFunc(limit, func() {
		<-started
		if s.asking.Load() > 0 {
			began = began.Add(limit)
			timer.Reset(limit)
			return
		}
		heard := min(r.idle(), time.Since(time.Unix(0, s.answered.Load())))
		silence, rest := limit-heard, patience*limit-time.Since(began)
		switch {
		case silence <= 0:
			cancel(&Error{Kind: ErrCallTimeout, After: limit})
		case rest <= 0:
			cancel(&Error{Kind: ErrCallTimeout, After: patience * limit})
		default:
			timer.Reset(min(silence, rest))
		}
	})
	close(started)
	detach := context.AfterFunc(s.ctx, func() { cancel(errStopped) })
	return ctx, func() {
		timer.Stop()
		detach()
		cancel(nil)
	}
}

// callError makes the error of a failed call by seed 003's error table.
func (s *server) callError(ctx context.Context, name string, err error) error {
	var wire *jsonrpc.Error
	var late *Error
	switch {
	case errors.As(context.Cause(ctx), &late):
		late.Subject = name
		return late
	case errors.Is(context.Cause(ctx), errStopped), streamEnded(err):
		return &Error{Kind: ErrDisconnected, Subject: name}
	case errors.As(err, &wire):
		return &Error{Kind: ErrTool, Subject: name, Err: wire}
	case s.link.Fault() != nil:
		return &Error{Kind: ErrDisconnected, Subject: name}
	}
	return &Error{Kind: ErrTool, Subject: name, Err: err}
}

// text is the text of a failed call.
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
