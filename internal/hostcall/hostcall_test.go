package hostcall_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/hostcall"
	"goated/internal/waittest"
)

// connect connects a server to a host. It returns the caller with which the server sends requests
// to the host.
func connect(t *testing.T, h hostcall.Handler) (*hostcall.Caller, *mcp.ClientSession) {
	t.Helper()
	near, far := mcp.NewInMemoryTransports()
	caller := hostcall.NewCaller(far)
	server := mcp.NewServer(&mcp.Implementation{Name: "s"}, nil)
	served, err := server.Connect(t.Context(), caller, nil)
	if err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "c"}, nil).Connect(t.Context(), hostcall.Serve(near, h), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close(); waittest.Return(t, "the server ends", func() { _ = served.Wait() }) })
	return caller, session
}

func TestCall(t *testing.T) {
	caller, session := connect(t, func(_ context.Context, method string, params json.RawMessage) (any, error) {
		switch method {
		case "dev.goated/echo":
			return params, nil
		case "dev.goated/no":
			return nil, &jsonrpc.Error{Code: -7, Message: "no"}
		}
		return nil, errors.New("broken")
	})
	var got string
	if err := caller.Call(t.Context(), "dev.goated/echo", "x", &got); err != nil || got != "x" {
		t.Errorf("%q, %v", got, err)
	}
	var wire *jsonrpc.Error
	if err := caller.Call(t.Context(), "dev.goated/no", nil, &got); !errors.As(err, &wire) || wire.Code != -7 {
		t.Error(err)
	}
	if err := caller.Call(t.Context(), "dev.goated/else", nil, &got); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Error(err)
	}
	if _, err := session.ListTools(t.Context(), nil); err != nil {
		t.Error("MCP no longer works beside it:", err)
	}
}

// When no call is running, only reports are answered.
func TestWhile(t *testing.T) {
	running := false
	h := hostcall.Handler(func(context.Context, string, json.RawMessage) (any, error) { return "done", nil }).While(func() bool { return running })
	if r, err := h(t.Context(), "dev.goated/x", nil); err == nil {
		t.Error(r)
	}
	if r, err := h(t.Context(), hostcall.Always+"x", nil); err != nil || r != "done" {
		t.Error("a report is refused:", r, err)
	}
	running = true
	if r, err := h(t.Context(), "dev.goated/x", nil); err != nil || r != "done" {
		t.Error(r, err)
	}
	if hostcall.Handler(nil).While(nil) != nil {
		t.Error("a host that offers nothing offers something")
	}
}

// A host that offers nothing refuses the request, and the connection stays usable.
func TestARequestIsRefusedWithoutAHandler(t *testing.T) {
	caller, session := connect(t, nil)
	var got any
	if err := caller.Call(t.Context(), "dev.goated/desktop/open", "x", &got); err == nil {
		t.Error("it was answered", got)
	}
	if err := session.Ping(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// When the connection ends, a running request ends on both sides.
func TestTheEndOfTheConnectionEndsACall(t *testing.T) {
	begun, ended := make(chan struct{}), make(chan struct{})
	caller, session := connect(t, func(ctx context.Context, _ string, _ json.RawMessage) (any, error) {
		close(begun)
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	})
	failed := make(chan error, 1)
	go func() {
		var got any
		failed <- caller.Call(t.Context(), "dev.goated/wait", nil, &got)
	}()
	waittest.Receive(t, "the call begins", begun)
	_ = session.Close()
	waittest.Receive(t, "the context of the call ends", ended)
	if err := waittest.Receive(t, "the call ends", failed); err == nil {
		t.Error("the call succeeded")
	}
	if err := caller.Call(t.Context(), "dev.goated/wait", nil, new(any)); err == nil {
		t.Error("a call succeeded after the end")
	}
}
