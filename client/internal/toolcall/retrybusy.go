package toolcall

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds of the retries of a request, which last 15.5 seconds in total.
const (
	maxRepeats  = 5
	firstRepeat = 500 * time.Millisecond // each following pause is twice as long
)

// RetryBusy sends a request again if its result asks only for that. A busy server returns only its state,
// and expects it with the next request (MCP 2026-07-28, Multi Round-Trip Requests).
func RetryBusy(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		pause := firstRepeat
		for n := 0; ; n++ {
			result, err := next(ctx, method, req)
			state, again := asksToRetry(result)
			switch {
			case err != nil || !again:
				return result, err
			case n == maxRepeats:
				return nil, fmt.Errorf("the server is too busy: it asked goated %d times to send the request again", n+1)
			}
			switch p := req.GetParams().(type) {
			case *mcp.CallToolParams:
				p.RequestState = state
			case *mcp.GetPromptParams:
				p.RequestState = state
			case *mcp.ReadResourceParams:
				p.RequestState = state
			}
			select {
			case <-time.After(pause):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			pause *= 2
		}
	}
}

// asksToRetry reports whether a result only asks for the request again. It returns the state to send.
func asksToRetry(result mcp.Result) (state string, again bool) {
	switch r := result.(type) {
	case *mcp.CallToolResult:
		if r != nil {
			return r.RequestState, r.NeedsInput() && len(r.InputRequests) == 0
		}
	case *mcp.GetPromptResult:
		if r != nil {
			return r.RequestState, r.NeedsInput() && len(r.InputRequests) == 0
		}
	case *mcp.ReadResourceResult:
		if r != nil {
			return r.RequestState, r.NeedsInput() && len(r.InputRequests) == 0
		}
	}
	return "", false
}
