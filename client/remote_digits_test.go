//go:build unix

package client_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
)

// Numbers keep every digit on their way to a server with a URL and back.
func TestURLServerKeepsEveryDigit(t *testing.T) {
	t.Parallel()
	const sent = `{"id":1234567890123456789,"price":1.10,"tiny":1E-7}`
	s := mcp.NewServer(&mcp.Implementation{Name: "mirror", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "mirror", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		got := string(r.Params.Arguments)
		return &mcp.CallToolResult{StructuredContent: r.Params.Arguments, Content: []mcp.Content{&mcp.TextContent{Text: got}}}, nil
	})
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(web.Close) // runs after the host, which holds a connection open, has closed
	h := host(t, client.Options{})
	id := connect(t, h, client.Config{URL: web.URL})
	args := make(map[string]any)
	decoder := json.NewDecoder(strings.NewReader(sent))
	decoder.UseNumber()
	if err := decoder.Decode(&args); err != nil {
		t.Fatal(err)
	}
	r, err := h.Call(t.Context(), id+"__mirror", args, nil)
	if err != nil {
		t.Fatal(err)
	}
	structured, err := json.Marshal(r.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	for where, text := range map[string]string{"the server": said(t, r), "the result": string(structured)} {
		for _, digits := range []string{"1234567890123456789", "1.10", "1E-7"} {
			if !strings.Contains(text, digits) {
				t.Errorf("%s gets %s", where, text)
			}
		}
	}
}
