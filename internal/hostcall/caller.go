package hostcall

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Caller is the transport of a bundled server that sends requests to its host. It has one
// connection at a time. It is safe for concurrent use. Create one with [NewCaller].
type Caller struct {
	transport mcp.Transport

	mu      sync.Mutex
	c       mcp.Connection // nil: not connected
	last    int            // number of the last request
	waiting map[string]chan *jsonrpc.Response
}

// NewCaller returns a caller that uses a transport.
func NewCaller(t mcp.Transport) *Caller {
	return &Caller{transport: t, waiting: make(map[string]chan *jsonrpc.Response)}
}

// Connect implements [mcp.Transport].
func (c *Caller) Connect(ctx context.Context) (mcp.Connection, error) {
	below, err := c.transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.c = below
	c.mu.Unlock()
	return &calling{below, c}, nil
}

// Call sends a request and waits for the response, until ctx or the connection ends. The method
// must begin with [Prefix]. Responses that nobody waits for any more are dropped.
func (c *Caller) Call(ctx context.Context, method string, params, result any) error {
	text, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("asking goated: %w", err)
	}
	c.mu.Lock()
	if c.c == nil {
		c.mu.Unlock()
		return fmt.Errorf("asking goated: %w", mcp.ErrConnectionClosed)
	}
	c.last++
	name, below, answered := Prefix+strconv.Itoa(c.last), c.c, make(chan *jsonrpc.Response, 1)
	c.waiting[name] = answered
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.waiting, name)
	}()
	id, err := jsonrpc.MakeID(name)
	if err == nil {
		err = below.Write(ctx, &jsonrpc.Request{ID: id, Method: method, Params: text})
	}
	if err != nil {
		return fmt.Errorf("asking goated: %w", err)
	}
	select {
	case r, ok := <-answered:
		switch {
		case !ok:
			return fmt.Errorf("asking goated: %w", mcp.ErrConnectionClosed)
		case r.Error != nil:
			return r.Error
		}
		if err := json.Unmarshal(r.Result, result); err != nil {
			return fmt.Errorf("reading goated's answer: %w", err)
		}
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// settle passes a response to the call that waits for it.
func (c *Caller) settle(name string, r *jsonrpc.Response) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if answered, ok := c.waiting[name]; ok {
		delete(c.waiting, name)
		answered <- r
	}
}

// end fails all waiting calls.
func (c *Caller) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.c = nil
	for name, answered := range c.waiting {
		delete(c.waiting, name)
		close(answered)
	}
}

type calling struct {
	mcp.Connection
	caller *Caller
}

// Read implements [mcp.Connection].
func (c *calling) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := c.Connection.Read(ctx)
		if err != nil {
			c.caller.end()
			return m, err
		}
		r, ok := m.(*jsonrpc.Response)
		if !ok {
			return m, nil
		}
		name, ok := r.ID.Raw().(string)
		if !ok || !strings.HasPrefix(name, Prefix) {
			return m, nil
		}
		c.caller.settle(name, r)
	}
}

// Close implements [mcp.Connection].
func (c *calling) Close() error {
	c.caller.end()
	return c.Connection.Close()
}
