package httplink

import (
	"context"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client/internal/answers"
	"goated/client/internal/pending"
	"goated/client/internal/trace"
)

const (
	// noticeLimit bounds a request that sends a notification or a response.
	noticeLimit = 30 * time.Second
	// maxNotices bounds the number of concurrent requests of this kind. Further ones wait.
	maxNotices = 16
)

// Write implements [mcp.Connection]. It sends everything except notifications/initialized in the
// background. A request that cannot be sent gets an error as its response, and a server that does
// not accept a notification or a response delays no call. Later messages rely on
// notifications/initialized, so Write sends it before it returns.
func (c *Conn) Write(ctx context.Context, msg jsonrpc.Message) error {
	select {
	case <-c.ended:
		return mcp.ErrConnectionClosed
	default:
	}
	data, err := answers.Encode(msg)
	if err != nil {
		return err
	}
	req, _ := msg.(*jsonrpc.Request)
	switch {
	case req == nil:
		if c.requests.EndServerRequest(msg.(*jsonrpc.Response).ID); c.requests.Version() >= answers.Modern {
			return nil // "the client MUST NOT send JSON-RPC responses" since 2026-07-28
		}
	case req.IsCall():
		return c.begin(ctx, req, data)
	case req.Method == "notifications/cancelled":
		id := pending.CancelledID(req)
		cancel, open := c.requests.Drop(id)
		if !open {
			return nil // "MUST only reference requests that were previously issued"
		}
		c.limits.CallCancelled()
		if cancel(); c.requests.Version() >= answers.Modern {
			return nil // closing the stream cancels the request
		}
	}
	c.o.Trace.Sent(data, c.o.Trace.Now())
	if req != nil && req.Method == "notifications/initialized" {
		c.notify(ctx, req, data)
		if !c.route.isSSE() {
			c.start(c.listen) // ends with the connection
		}
		return nil
	}
	select {
	case c.notices <- true:
	case <-c.ended:
		return mcp.ErrConnectionClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	if !c.start(func() { // ends with noticeLimit or with the connection
		defer func() { <-c.notices }()
		c.notify(c.ctx, req, data)
	}) {
		return mcp.ErrConnectionClosed
	}
	return nil
}

// notify sends a message that has no response. If it fails, nothing ends: the next request notices
// if the server is gone.
func (c *Conn) notify(ctx context.Context, req *jsonrpc.Request, data []byte) {
	ctx, cancel := context.WithTimeout(ctx, noticeLimit)
	defer cancel()
	defer context.AfterFunc(c.ctx, cancel)()
	resp, err := c.exchange(ctx, req, data)
	if err != nil {
		c.o.Log.Note("a notification was not accepted: " + err.Error())
	} else {
		_ = resp.Body.Close()
	}
}

// begin sends a request in the background.
func (c *Conn) begin(ctx context.Context, req *jsonrpc.Request, data []byte) error {
	own, end := context.WithCancelCause(c.ctx)
	cancel := func() { end(context.Cause(ctx)) }
	c.requests.Begin(req.ID, req.Method, cancel)
	detach := context.AfterFunc(ctx, cancel) // the SDK then sends the cancellation
	switch req.Method {
	case "initialize":
		c.route.setGreeting(data)
	case "resources/subscribe", "resources/unsubscribe":
		c.follows.record(req, data)
	}
	c.o.Trace.Sent(data, c.o.Trace.Now())
	done := func() {
		cancel()
		detach()
		c.requests.Unlimit(req.ID)
	}
	if !c.start(func() { // ends with the response, with ctx, or with the connection
		defer done()
		c.call(own, req, data)
	}) {
		done()
		return mcp.ErrConnectionClosed
	}
	return nil
}

// errCancelled means that goated cancelled a request for no specific reason.
var errCancelled = errors.New("goated cancelled the request")

// call sends a request and reads the response.
func (c *Conn) call(ctx context.Context, req *jsonrpc.Request, data []byte) {
	resp, err := c.exchange(ctx, req, data)
	if err != nil && ctx.Err() == nil && req.Method == "initialize" && c.mayBeSSE(err) {
		resp, err = c.fallBack(ctx, req, data, err)
	}
	if err == nil {
		err = c.receive(ctx, req, data, resp)
	}
	if ctx.Err() != nil {
		if c.ctx.Err() == nil { // otherwise the end of the connection reports it
			why := context.Cause(ctx)
			if errors.Is(why, context.Canceled) {
				why = errCancelled
			}
			traceUnanswered(c.o.Trace, req.ID, why, trace.Sent)
		}
		return
	}
	if err == nil {
		return
	}
	var wire *jsonrpc.Error
	var fault *Fault
	switch {
	case errors.As(err, &wire):
	case !errors.As(err, &fault):
	case fault.Kind == Other && fault.Status == 0 && req.Method != "initialize":
		if c.serverGone(ctx) {
			c.end(&Fault{Kind: Gone, Host: fault.Host, Err: fault})
			return
		}
		err = errNoAnswer
	case fault.Kind == Gone, fault.Kind == SessionLost:
		c.end(fault)
		return
	case fault.unsent() && c.route.known():
		c.end(&Fault{Kind: Gone, Host: fault.Host, Err: fault})
		return
	case req.Method == "initialize", req.Method == "server/discover" && (fault.unsent() || fault.unauthorized() || fault.Kind == Moved || fault.Kind == NeedsHTTPS):
		c.end(c.suggest(ctx, fault)) // before the older handshake fails for the same reason
		return
	}
	traceUnanswered(c.o.Trace, req.ID, err, trace.Received)
	c.fail(req.ID, err)
}
