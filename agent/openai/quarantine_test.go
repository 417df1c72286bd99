package openai

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/agent/modeltest"
	"goated/agent/turntest"
	"goated/registry"
)

// The search for a refused tool also works with a reasoning model of OpenAI, which refuses
// max_tokens.
func TestQuarantineWithoutMaxTokens(t *testing.T) {
	b := box()
	b.Registry.Set("box", false, registry.Origin{}, []*mcp.Tool{
		{Name: "x", InputSchema: map[string]any{"type": "object"}}, {Name: "bad", InputSchema: map[string]any{"type": "object"}},
	})
	m := served(t, "gpt-5", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		refuse := func(text string) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"error":{"message":%q,"type":"invalid_request_error"}}`, text)
		}
		switch {
		case strings.Contains(string(body), "max_tokens"):
			refuse("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.")
		case strings.Contains(string(body), "box__bad"):
			refuse("Invalid schema for function.")
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, saidIn("content", "stop", "Hello."))
		}
	})
	events, err := modeltest.Collect(t.Context(), sessionOf(m, b), "hi")
	if told := turntest.Only[agent.ToolQuarantined](events); err != nil || modeltest.Said(events) != "Hello." || len(told) != 1 || told[0].Name != "box__bad" {
		t.Errorf("%q, %v, %+v", modeltest.Said(events), err, told)
	}
}
