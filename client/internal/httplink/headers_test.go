package httplink

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A parameter that a newer list no longer marks is not repeated in a header, even if that list
// marks none. A list of other tools, such as the next page, changes nothing.
func TestHeadersFollowTheNewestList(t *testing.T) {
	const marked, plain = `{"tools":[{"name":"a","inputSchema":{"properties":{"key":{"type":"string","x-mcp-header":"Key"}}}}]}`, `{"tools":[{"name":"a","inputSchema":{"properties":{"key":{"type":"string"}}}}]}`
	var m mirror
	for _, step := range []struct{ list, want string }{
		{plain, ""}, {marked, "x"}, {`{"tools":[{"name":"b","inputSchema":{}}]}`, "x"}, {plain, ""}, {marked, "x"}, {`{"tools":[{"name":"a"}]}`, ""},
	} {
		m.learn([]byte(step.list))
		h := make(http.Header)
		m.set(h, &jsonrpc.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"a","arguments":{"key":"x"}}`)})
		if got := h.Get(paramPrefix + "Key"); got != step.want {
			t.Errorf("after %s the header is %q, want %q", step.list, got, step.want)
		}
	}
}
