package desktop

import (
	"context"
	"encoding/json"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Lifecycle adds to a transport the methods of seed 002 that MCP no longer has. It answers shutdown
// and refuses every later request. exit ends the connection.
func Lifecycle(t mcp.Transport) mcp.Transport { return transport{t} }

type transport struct{ mcp.Transport }

// Connect implements [mcp.Transport].
func (t transport) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{Connection: c}, nil
}

type connection struct {
	mcp.Connection
	down bool // only Read uses it, and Read has one caller
}

// Read implements [mcp.Connection].
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := c.Connection.Read(ctx)
		r, ok := m.(*jsonrpc.Request)
		switch {
		case err != nil || !ok:
			return m, err
		case r.Method == "exit":
			return nil, io.EOF
		case r.Method == "shutdown" && r.IsCall():
			c.down = true
			if err := c.Write(ctx, &jsonrpc.Response{ID: r.ID, Result: json.RawMessage("{}")}); err != nil {
				return nil, err
			}
		case c.down && r.IsCall():
			if err := c.Write(ctx, &jsonrpc.Response{ID: r.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the server shuts down. Send exit"}}); err != nil {
				return nil, err
			}
		default:
			return m, nil
		}
	}
}
