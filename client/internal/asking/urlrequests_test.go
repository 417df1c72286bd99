package asking

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// One error could ask the user to open any number of pages, one after the other.
func TestPagesOfOneErrorAreBounded(t *testing.T) {
	for pages, want := range map[int]string{maxPages: "done", maxPages + 1: "Sign in. The server asks the user to open 6 pages for one request, and goated opens at most 5"} {
		var list []string
		for i := range pages {
			list = append(list, fmt.Sprintf(`{"mode":"url","message":"Sign in","url":"https://example.com/%d","elicitationId":"%[1]d"}`, i))
		}
		refusal := &jsonrpc.Error{Code: mcp.CodeURLElicitationRequired, Message: "Sign in", Data: json.RawMessage(`{"elicitations":[` + strings.Join(list, ",") + `]}`)}
		var v URLRequests
		asked, sent := 0, 0
		ask := func(_ context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			asked++
			v.Complete(t.Context(), &mcp.ElicitationCompleteNotificationRequest{Params: &mcp.ElicitationCompleteParams{ElicitationID: p.ElicitationID}})
			return &mcp.ElicitResult{Action: "accept"}, nil
		}
		next := func(context.Context, string, mcp.Request) (mcp.Result, error) {
			if sent++; sent == 1 {
				return nil, refusal
			}
			return &mcp.CallToolResult{}, nil
		}
		said := "done"
		if _, err := v.Retry(ask, func(context.Context) func() { return func() {} })(next)(t.Context(), "tools/call", &mcp.CallToolRequest{}); err != nil {
			said = err.Error()
		}
		if said != want || pages > maxPages && (asked > 0 || sent > 1) {
			t.Errorf("%d pages: %s, after %d questions and %d requests", pages, said, asked, sent)
		}
	}
}

// goated's sentence followed a second period or no period, as in ". The server asks".
func TestASentenceStandsBehindTheServersMessage(t *testing.T) {
	for message, want := range map[string]string{
		"Please sign in.": "Please sign in. The user did not open the page",
		"Sign in":         "Sign in. The user did not open the page",
		"":                "The user did not open the page",
	} {
		if got := withServerMessage(&jsonrpc.Error{Message: message}, "The user did not open the page").Error(); got != want {
			t.Errorf("%q: %q", message, got)
		}
	}
}
