package inspect

import (
	"bytes"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/exact"
)

// whole reports whether a response can be decoded as the result of a tool, like the host does. A
// response that is cut, or from which a secret was removed, cannot be checked and counts as valid.
func whole(answer Part) bool {
	if answer.Size > len(answer.Data) || bytes.Contains(answer.Data, []byte("[secret]")) {
		return true
	}
	var message struct {
		Result json.RawMessage `json:"result"`
	}
	if json.Unmarshal(answer.Data, &message) != nil {
		return false
	}
	var result mcp.CallToolResult // decoded without json.Unmarshal, which would check its syntax again
	return result.UnmarshalJSON(exact.HideAnswer("tools/call", message.Result)) == nil
}
