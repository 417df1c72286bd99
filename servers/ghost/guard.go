package ghost

import (
	"context"
	"errors"
	"runtime/debug"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/truncate"
	"goated/servers/serverlog"
)

// maxMessage bounds the text of an error in bytes, because schema errors quote the value.
const maxMessage = 1 << 10

// errorMiddleware gives every failure the same form: the caller gets "Error: <message>" with isError, and the
// log gets "[Tool Error] <message>" with the stack trace. A panic fails the call rather than the
// process.
func (g *ghost) errorMiddleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		call, isCall := req.(*mcp.CallToolRequest)
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			g.log.Failure(serverlog.Fatal, debug.Stack(), "panic in %s: %v", method, p)
			res, err = nil, errors.New("internal error")
			if isCall {
				res, err = errorResult(errors.New("internal error, see the server's log")), nil
			}
		}()
		if !isCall {
			return next(ctx, method, req)
		}

		g.log.Printf(serverlog.Debug, "Tool invoked: %s", truncate.Bytes(call.Params.Name, maxMessage))
		res, err = next(ctx, method, req)
		if err != nil {
			g.report(err)
			return res, err
		}
		if cause := failure(res); cause != nil {
			g.report(cause)
			res = errorResult(cause)
		}
		return res, nil
	}
}

// report logs a failed call. If the system caused the failure, it logs the stack trace, as seed 000
// requires. If the arguments caused it, it logs one line.
func (g *ghost) report(cause error) {
	var system syscall.Errno
	if errors.As(cause, &system) {
		g.log.Failure(serverlog.Error, debug.Stack(), "[Tool Error] %s", truncate.Bytes(cause.Error(), maxMessage))
		return
	}
	g.log.Printf(serverlog.Error, "[Tool Error] %s", truncate.Bytes(cause.Error(), maxMessage))
}

// failure returns the error of a tool, which the SDK keeps in the result.
func failure(res mcp.Result) error {
	if r, ok := res.(*mcp.CallToolResult); ok && r.IsError {
		return r.GetError()
	}
	return nil
}

func errorResult(err error) *mcp.CallToolResult {
	r := text("Error: " + truncate.Bytes(err.Error(), maxMessage))
	r.IsError = true
	return r
}

// A refusal is an error with a text from seed 000 that begins with a capital letter.
type refusal string

func (r refusal) Error() string { return string(r) }
