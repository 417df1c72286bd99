package stdio

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// piped contains requests that come from a pipe and end with it.
const piped = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"sh","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"nap","arguments":{}}}
{"jsonrpc":"2.0","id":3,"method":"ping"}`

// Requests from before the end of the input get responses, as in: echo … | goated serve ghost. A
// call that takes longer than farewell does not keep the server running.
func TestAnswersBeforeTheEnd(t *testing.T) {
	for _, tt := range []struct {
		nap     time.Duration
		answers []string
	}{
		{50 * time.Millisecond, []string{`"id":1`, `"id":2`, `"id":3`}},
		{time.Hour, []string{`"id":1`, `"id":3`}},
	} {
		s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
		mcp.AddTool(s, &mcp.Tool{Name: "nap"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
			select {
			case <-time.After(tt.nap):
			case <-ctx.Done():
			}
			return &mcp.CallToolResult{}, nil, nil
		})
		var out, log bytes.Buffer
		if err := s.Run(t.Context(), &Transport{In: strings.NewReader(piped), Out: &out, Log: &log}); err != nil {
			t.Error(err)
		}
		for _, want := range tt.answers {
			if !strings.Contains(out.String(), want) {
				t.Errorf("a nap of %v: no %s in %s%s", tt.nap, want, out.String(), log.String())
			}
		}
	}
}
