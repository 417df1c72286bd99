//go:build unix

package client_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/servertest"
	"goated/internal/waittest"
)

// The question of one call also shortened the shown time of its server's other calls. In older
// versions of MCP a question names no call, so it counts for all running calls.
func TestAQuestionCountsForItsOwnCall(t *testing.T) {
	for name, tt := range map[string]struct {
		transport mcp.StreamableHTTPOptions
		named     bool
	}{
		"2026-07-28": {mcp.StreamableHTTPOptions{Stateless: true}, true},
		"2025-11-25": {mcp.StreamableHTTPOptions{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			waits, goOn := make(chan struct{}), make(chan struct{})
			s := mcp.NewServer(&mcp.Implementation{Name: "asks", Version: "1"}, nil)
			object := map[string]any{"type": "object"}
			s.AddTool(&mcp.Tool{Name: "ask", InputSchema: object}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				if _, answered := r.Params.InputResponses["q"]; answered {
					return &mcp.CallToolResult{}, nil
				}
				return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": &mcp.ElicitParams{Message: "Go on?", RequestedSchema: object}}}, nil
			})
			s.AddTool(&mcp.Tool{Name: "wait", InputSchema: object}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				close(waits)
				<-goOn
				return &mcp.CallToolResult{}, nil
			})
			servertest.CloseSessions(t, s)
			web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &tt.transport))
			t.Cleanup(web.Close)
			ctx, took := client.WithUserTime(t.Context())
			h := host(t, client.Options{Elicit: func(context.Context, client.Asker, *mcp.ElicitParams) (*mcp.ElicitResult, error) {
				waittest.Until(t, "the question takes time", func() bool { return took() > 0 })
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
			}})
			id := connect(t, h, client.Config{URL: web.URL})
			other, tookOther := client.WithUserTime(t.Context())
			var group sync.WaitGroup
			group.Go(func() {
				if _, err := h.Call(other, id+"__wait", nil, nil); err != nil {
					t.Error(err)
				}
			})
			waittest.Receive(t, "the other call runs", waits)
			if _, err := h.Call(ctx, id+"__ask", nil, nil); err != nil {
				t.Error(err)
			}
			close(goOn)
			group.Wait()
			if own, others := took(), tookOther(); own == 0 || (others == 0) != tt.named {
				t.Errorf("the user answered for %v in the call that asked, and for %v in the other", own, others)
			}
		})
	}
}
