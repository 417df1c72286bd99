package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client/internal/answers"
	"goated/client/internal/limits"
	"goated/client/internal/stdio"
	"goated/client/internal/toolcall"
	"goated/internal/exact"
)

// A toolCall is one call of a tool.
type toolCall struct {
	server  *server
	session *mcp.ClientSession
	tool    string // as the server names it
	args    map[string]any
	token   string // for progress
	level   string // of log messages during the call; empty: none
	limit   callLimit
}

// send sends a call and returns its result, or the error of the answer, of the
// connection, of the limit or of ctx.
//
// The host itself sends calls to the processes of servers, and decodes the results: the
// SDK copies each request and result several times. An answer with a question to the user
// goes through the SDK as if it had just arrived.
func (r *toolCall) send(ctx context.Context, l *link) (*mcp.CallToolResult, error) {
	conn, ok := l.transport.(*stdio.Conn)
	if !ok {
		return r.viaSDK(ctx)
	}
	answer, err := r.roundTrip(ctx, conn)
	if err != nil {
		return nil, err
	}
	if answer.Error != nil {
		var wire *jsonrpc.Error
		if errors.As(answer.Error, &wire) && wire.Code == mcp.CodeURLElicitationRequired {
			return r.viaSDK(stdio.WithAnswer(ctx, answer))
		}
		return nil, fmt.Errorf("calling %q: %w", "tools/call", answer.Error)
	}
	result, ok := toolcall.Result(answer.Result)
	if ok {
		return result, nil
	}
	answer.Result = answers.WithContent(answer.Result)
	if err := exact.DecodeResult(answer.Result, result); err != nil {
		return nil, answers.Unreadable(answer.Result, err)
	}
	if result.NeedsInput() || result.InputRequests != nil {
		return r.viaSDK(stdio.WithAnswer(ctx, answer))
	}
	exact.Result(result)
	return result, nil
}

// roundTrip sends a call to a process and waits for its answer.
func (r *toolCall) roundTrip(ctx context.Context, conn *stdio.Conn) (*jsonrpc.Response, error) {
	s := r.server
	args, err := json.Marshal(r.args)
	if err != nil {
		return nil, fmt.Errorf("encoding the arguments: %w", err)
	}
	var bound context.Context // for a server that does not read
	stop := func() {}
	defer func() { stop() }()
	params := toolcall.Params{Tool: r.tool, Args: args, Token: r.token, Level: r.level, Meta: conn.Calls.Meta()}
	call, err := conn.Calls.Begin(params.Append, func() context.Context {
		if bound == nil {
			bound, stop = s.limitContext(ctx, &r.limit)
		}
		return bound
	})
	if err != nil {
		if bound != nil && context.Cause(bound) != nil {
			return nil, context.Cause(bound)
		}
		return nil, err
	}
	call.Timer.Reset(r.limit.limit)
	for {
		select {
		case answer := <-call.Answer:
			conn.Calls.Done(call)
			return answer, nil
		case <-conn.Ended():
			defer conn.Calls.Done(call)
			select {
			case answer := <-call.Answer: // it came before the end
				return answer, nil
			default:
				waitDisconnected(ctx, s)
				return nil, mcp.ErrConnectionClosed
			}
		case <-ctx.Done():
			err = ctx.Err()
		case <-s.ctx.Done():
			err = errStopped
		case <-call.Timer.C:
			again, late := r.limit.timerFired(s)
			if late == nil {
				call.Timer.Reset(again)
				continue
			}
			err = late
		}
		conn.Calls.Cancel(call, err.Error())
		return nil, err
	}
}

// waitDisconnected waits until the list no longer shows a server as connected after its link ended.
// Otherwise a caller that receives the error could call the server again.
func waitDisconnected(ctx context.Context, s *server) {
	limit := time.NewTimer(drainTimeout)
	defer limit.Stop()
	for {
		s.host.list.mu.Lock()
		connected, changed := s.view.Status == Connected, s.host.list.changed
		s.host.list.mu.Unlock()
		if !connected {
			return
		}
		select {
		case <-changed:
		case <-s.ctx.Done():
			return
		case <-ctx.Done():
			return
		case <-limit.C:
			return
		}
	}
}

// viaSDK is send through the SDK.
func (r *toolCall) viaSDK(ctx context.Context) (*mcp.CallToolResult, error) {
	bound, cancel := r.server.limitContext(ctx, &r.limit)
	defer cancel()
	params := &mcp.CallToolParams{Name: r.tool, Arguments: r.args}
	if r.level != "" {
		//lint:ignore SA1019 deprecated with logging itself
		params.Meta = mcp.Meta{mcp.MetaKeyLogLevel: r.level}
	}
	params.SetProgressToken(r.token)
	result, err := r.session.CallTool(bound, params)
	if err != nil {
		if cause := context.Cause(bound); cause != nil && ctx.Err() == nil {
			err = cause
		}
		return nil, err
	}
	exact.Result(result)
	return result, nil
}

// maxLimits is how many times its limit a call with progress may take.
const maxLimits = 10

// A callLimit bounds a call. It starts again with each progress, up to maxLimits times the
// limit in all. The time in which the user answers the server's questions does not count.
// One goroutine uses it at a time.
type callLimit struct {
	limit    time.Duration
	began    time.Time
	progress *toolcall.Throttle
}

// timerFired handles a timer that fired. It returns the time that is left because the limit has moved
// since, or the error of a timeout.
func (c *callLimit) timerFired(s *server) (again time.Duration, late error) {
	if s.asking.Load() > 0 {
		c.began = c.began.Add(c.limit)
		return c.limit, nil
	}
	heard := min(c.progress.Idle(), time.Since(time.Unix(0, s.answered.Load())))
	silence, rest := c.limit-heard, maxLimits*c.limit-time.Since(c.began)
	switch {
	case silence <= 0:
		return 0, &Error{Kind: ErrCallTimeout, After: c.limit}
	case rest <= 0:
		return 0, &Error{Kind: ErrCallTimeout, After: maxLimits * c.limit}
	}
	return min(silence, rest), nil
}

// limitContext bounds a context by a limit and by the life of the server.
func (s *server) limitContext(ctx context.Context, limit *callLimit) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	started := make(chan struct{})
	c := *limit
	var timer *time.Timer
	timer = time.AfterFunc(c.limit, func() {
		<-started
		again, late := c.timerFired(s)
		if late != nil {
			cancel(late)
			return
		}
		timer.Reset(again)
	})
	close(started)
	detach := context.AfterFunc(s.ctx, func() { cancel(errStopped) })
	return ctx, func() {
		timer.Stop()
		detach()
		cancel(nil)
	}
}

// Refusal returns the error response of a server, with its data, or nil if err comes from goated.
func Refusal(err error) *jsonrpc.Error {
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) || answers.IsLocal(wire) {
		return nil
	}
	return wire
}

// callError turns the error of a failed call into one of seed 003's error table. meanwhile adds what
// the server wrote during the call.
func (s *server) callError(ctx context.Context, name string, err error, meanwhile func(*Error)) error {
	var wire *jsonrpc.Error
	var late *Error
	switch {
	case errors.As(err, &late):
		meanwhile(late)
		late.Subject, late.Err, late.Broken = name, endCause(s, late.Err), errors.Is(late.Err, limits.ErrUnusable)
		return late
	case errors.Is(err, errStopped), streamEnded(err):
		return disconnectedError(ctx, s, name)
	case errors.As(err, &wire):
		return &Error{Kind: ErrTool, Subject: name, Err: answers.NewRefusal(wire), HasServerText: answers.HasServerText(wire), Broken: answers.IsUnusable(wire), Denied: answers.IsDenied(wire)}
	case s.link.Fault() != nil:
		return disconnectedError(ctx, s, name)
	}
	return &Error{Kind: ErrTool, Subject: name, Err: answers.WithoutTypeNames(err)}
}
