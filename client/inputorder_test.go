//go:build unix

package client_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/registry"
	"goated/ui/view/fields"
)

// A form asks for its values in the server's order. Permissions depend on digests, which are
// the same as before goated kept this order.
func TestToolsKeepTheOrderOfTheServer(t *testing.T) {
	t.Parallel()
	s := mcp.NewServer(&mcp.Implementation{Name: "desk", Version: "1"}, nil)
	digests := map[string]string{}
	for name, tool := range map[string]struct{ schema, digest string }{
		"book": {`{"type":"object","properties":{"to":{"type":"string"},"from":{"type":"string"},"at":{"type":"object","properties":{"month":{"type":"integer"},"day":{"type":"integer","maximum":31}}}}}`, "8c9ea1d7d7b549f9cf53d0c8c40282fa52bef4ccbffec7b509f4ca9b248ebb82"},
		"pay":  {`{"type":"object","properties":{"to":{"type":"string"},"from":{"type":"string"},"at":{"type":"number","default":1.10,"maximum":12345678901234567890}}}`, "052d6c0c69bbd52fa717a069c47af7411e38600e2fec36901dc2a69fc3ce0ad8"},
	} {
		digests[name] = tool.digest
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(tool.schema)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{}, nil
		})
	}
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(web.Close) // runs after the host, which holds a connection open, has closed
	h := host(t, client.Options{})
	id := connect(t, h, client.Config{URL: web.URL})
	check := func() {
		t.Helper()
		for name, digest := range digests {
			e, err := h.Lookup(id + "__" + name)
			if err != nil {
				t.Fatal(err)
			}
			if got := registry.DefinitionOf(e.Tool).Digest(); got != digest {
				t.Errorf("the digest of %s is %s, want %s", name, got, digest)
			}
			list, err := fields.FromSchema(e.Schema())
			if err != nil {
				t.Fatal(err)
			}
			var order []string
			for _, f := range list {
				order = append(order, f.Name)
			}
			if !slices.Equal(order, []string{"to", "from", "at"}) {
				t.Errorf("the form of %s asks for %q", name, order)
			}
			if at := list[2].Members; name == "book" && (len(at) != 2 || at[0].Name != "month") {
				t.Errorf("the form of %s asks for %+v in a group", name, at)
			}
		}
	}
	check()
	client.SetToolsOff(h, id, []string{"pay"})
	client.SetToolsOff(h, id, nil)
	check()
}
