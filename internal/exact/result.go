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

// HideAnswer hides members in the result of a request with the given method. Pass the input schemas
// of a list of tools to [Written].
func HideAnswer(method string, result []byte) []byte {
	switch method {
	case "tools/call":
		return hideResult(result)
	case "tools/list":
		return Hide(result, lists)
	}
	return HideMessage(result)
}

// hideResult calls [Hide] for a result of tools/call. Pass the decoded result to [Result], and the
// schemas of questions to [Restore].
func hideResult(text []byte) []byte { return Hide(text, results) }

// HideMessage calls [Hide] for other results and for params. Pass the decoded schemas to [Restore].
func HideMessage(text []byte) []byte { return Hide(text, messages) }

// Result restores a result of tools/call in place. Its structured content becomes a
// [json.RawMessage] with the numbers and the order of members that the server sent.
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

// Meta decodes metadata. Like [DecodeResult] and [Result], it uses [json.Number] if float64 would
// change a number. It returns nil if the JSON is not an object.
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

// DecodeResult decodes a JSON value that contains a result of tools/call. The caller must pass that
// result to [Result].
func DecodeResult(data []byte, v any) error { return json.Unmarshal(hideResult(data), v) }
