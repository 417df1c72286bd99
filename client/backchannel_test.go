//go:build unix

package client_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/servertest"
)

// Today's Python SDK can ask the user only in the older protocol, although it supports the new
// one. goated starts a script that asks with the older protocol, so that its first call does
// not fail, and remembers this (measured, root cause 8).
func TestAServerOfThePythonSDKCanAsk(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "protocols.json")
	for _, run := range []string{"first", "second"} {
		t.Run(run, func(t *testing.T) {
			if run == "second" && !servertest.Long() {
				t.Skip("TestNoCallRunsTwiceWithoutTheUser has a second start without the SDK: GOATED_LONG=1 runs it")
			}
			var asked []string
			answer := &mcp.ElicitResult{}
			h := host(t, client.Options{Caches: client.CacheOptions{ProtocolCache: cache}, Elicit: func(_ context.Context, _ client.Asker, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
				asked = append(asked, p.Message)
				return answer, nil
			}})
			id := connect(t, h, client.Config{Path: "testdata/asks.py"})
			for _, c := range []struct {
				tool, question, want string
				answer               mcp.ElicitResult
			}{
				{"book", "Which table?", "accept 7", mcp.ElicitResult{Action: "accept", Content: map[string]any{"table": 7}}},
				{"book", "Which table?", "decline ", mcp.ElicitResult{Action: "decline"}},
				// The Go SDK omitted the content of a form that the user accepted without
				// values, and the Python SDK rejected such an answer.
				{"cancel", "Cancel it?", "accept", mcp.ElicitResult{Action: "accept", Content: map[string]any{}}},
			} {
				asked, answer = nil, &c.answer
				r, err := h.Call(t.Context(), id+"__"+c.tool, nil, nil)
				if err != nil || len(r.Content) != 1 || said(t, r) != c.want || !slices.Equal(asked, []string{c.question}) {
					t.Errorf("%s: %+v, %v, asked %q", c.want, r, err, asked)
				}
			}
			h.Close()
		})
	}
}
