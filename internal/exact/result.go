package exact

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The members that the MCP SDK decodes into any.
var (
	results  = map[string]Form{"structuredContent": Text, "_meta": Inside, "requestedSchema": Question}
	lists    = map[string]Form{"inputSchema": Ordered, "outputSchema": Beside}
	messages = map[string]Form{"inputSchema": Beside, "outputSchema": Beside, "requestedSchema": Question}
)

// HideAnswer is [hideResult] or [HideMessage] for the answer to a request with method. The input
// schemas of a list of tools go to [Written].
func HideAnswer(method string, result []byte) []byte {
	switch method {
	case "tools/call":
		return hideResult(result)
	case "tools/list":
		return Hide(result, lists)
	}
	return HideMessage(result)
}

// hideResult is [Hide] for a result of tools/call. The SDK's decoded result goes to
// [Result], the schemas of questions to [Restore].
func hideResult(text []byte) []byte { return Hide(text, results) }

// HideMessage is [Hide] for other results, and for params. The SDK's decoded schemas go
// to [Restore].
func HideMessage(text []byte) []byte { return Hide(text, messages) }

// Result restores a result of tools/call in place. Its structured content becomes a
// [json.RawMessage], with the numbers, and the order of members, that the server sent.
func Result(r *mcp.CallToolResult) {
	if r == nil {
		return
	}
	r.StructuredContent = Raw(r.StructuredContent)
	r.Meta = Object(r.Meta)
	for _, c := range r.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			c.Meta = Object(c.Meta)
		case *mcp.ImageContent:
			c.Meta = Object(c.Meta)
		case *mcp.AudioContent:
			c.Meta = Object(c.Meta)
		case *mcp.ResourceLink:
			c.Meta = Object(c.Meta)
		case *mcp.EmbeddedResource:
			c.Meta = Object(c.Meta)
			if c.Resource != nil {
				c.Resource.Meta = Object(c.Resource.Meta)
			}
		}
	}
}

// Meta decodes metadata with [json.Number] for its numbers if float64 would change one, as
// [DecodeResult] and [Result] do. It returns nil for what is not an object.
func Meta(object []byte) (m mcp.Meta) {
	decode := json.Unmarshal
	if wrong, _ := changes(object); wrong {
		decode = Decode
	}
	if decode(object, &m) != nil {
		return nil
	}
	return m
}

// DecodeResult decodes a JSON value that holds a result of tools/call. The caller
// passes the result in it to [Result].
func DecodeResult(data []byte, v any) error { return json.Unmarshal(hideResult(data), v) }
