// Package hostcall carries requests from a bundled server to the goated process that runs it, over
// the same connection as MCP. goated does things for the server that the sandbox does not allow.
//
// If a host offers nothing, the request is an unknown method of MCP. The package owns the pending
// requests. It must not know their meaning.
package hostcall

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Prefix is the prefix of the methods of these requests. MCP's method names never contain a dot.
const Prefix = "dev.goated/"

// Always is the prefix of the methods that need no running call, because they change nothing for
// the user. An example is a report about the server's activity.
const Always = Prefix + "always/"

// most is the maximum number of requests of one server that run at the same time.
const most = 16

// A Handler answers a request. Its result is encoded as JSON. An error that is a [*jsonrpc.Error]
// is sent unchanged. The Handler is called concurrently, and must return when ctx ends, which is
// when the connection ends.
type Handler func(ctx context.Context, method string, params json.RawMessage) (any, error)

// While returns a handler that refuses requests while running returns false, except requests with
// the prefix [Always]. It returns nil for a nil handler.
func (h Handler) While(running func() bool) Handler {
	if h == nil {
		return nil
	}
	return func(ctx context.Context, method string, params json.RawMessage) (any, error) {
		if !running() && !strings.HasPrefix(method, Always) {
			return nil, errors.New("goated does this only while a call of the server runs")
		}
		return h(ctx, method, params)
	}
}

// Serve returns a transport whose connections answer the server's requests with h. If h is nil, it
// returns t.
func Serve(t mcp.Transport, h Handler) mcp.Transport {
	if h == nil {
		return t
	}
	return &serving{t, h}
}

type serving struct {
	mcp.Transport
	handler Handler
}

// Connect implements [mcp.Transport].
func (t *serving) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	s := &host{Connection: c, handler: t.handler, slots: make(chan struct{}, most)}
	s.ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	return s, nil
}

// host is the host's side of a connection. Close waits for the handlers.
type host struct {
	mcp.Connection
	handler Handler
	slots   chan struct{}
	ctx     context.Context // ends with the connection
	cancel  context.CancelFunc

	mu      sync.Mutex // guards closed
	closed  bool
	running sync.WaitGroup
}

// Read implements [mcp.Connection].
func (c *host) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := c.Connection.Read(ctx)
		if err != nil {
			return m, err
		}
		r, ok := m.(*jsonrpc.Request)
		if !ok || !r.IsCall() || !strings.HasPrefix(r.Method, Prefix) {
			return m, nil
		}
		c.begin(r)
	}
}

// begin handles a request in the background.
func (c *host) begin(r *jsonrpc.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.running.Go(func() {
		answer := &jsonrpc.Response{ID: r.ID}
		select {
		case c.slots <- struct{}{}:
			answer.Result, answer.Error = c.answer(r)
			<-c.slots
		default:
			answer.Error = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "too many requests at once"}
		}
		_ = c.Write(c.ctx, answer) // if the connection has ended, the SDK notices
	})
}

func (c *host) answer(r *jsonrpc.Request) (json.RawMessage, error) {
	result, err := c.handler(c.ctx, r.Method, r.Params)
	var own *jsonrpc.Error
	switch {
	case errors.As(err, &own):
		return nil, own
	case err != nil:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	text, err := json.Marshal(result)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	return text, nil
}

// Close implements [mcp.Connection].
func (c *host) Close() error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.cancel()
	err := c.Connection.Close()
	c.running.Wait()
	return err
}
