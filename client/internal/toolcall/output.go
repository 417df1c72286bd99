package toolcall

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// CheckOutput adds a note to a result that does not match the output schema of its
// tool, so that neither the user nor the model takes it for what was promised: "Servers
// MUST provide structured results that conform to this schema" (MCP, Tools).
func CheckOutput(tool *mcp.Tool, r *mcp.CallToolResult) error {
	err := outputFault(tool, r)
	if err != nil {
		r.Content = append(r.Content, &mcp.TextContent{Text: "Note of goated: this result breaks the output schema of its tool: " + err.Error() + "."})
	}
	return err
}

// Text returns the text of a result, or a sentence that there is none.
func Text(r *mcp.CallToolResult) string {
	var said []string
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			said = append(said, t.Text)
		}
	}
	if len(said) == 0 {
		return "the server gave no reason"
	}
	return strings.Join(said, "\n")
}

func remarshal(from, to any) error {
	data, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, to)
}

// outputFault says how a result breaks the output schema of its tool; nil if it does
// not, or if the tool has no schema that can be checked.
func outputFault(tool *mcp.Tool, r *mcp.CallToolResult) error {
	if tool.OutputSchema == nil || r.IsError {
		return nil
	}
	var s jsonschema.Schema
	if remarshal(tool.OutputSchema, &s) != nil {
		return nil
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil // the schema is wrong, not the result
	}
	if r.StructuredContent == nil {
		return fmt.Errorf("it has no structured content")
	}
	var content any // jsonschema takes a json.Number for a text
	if err := remarshal(r.StructuredContent, &content); err != nil {
		return nil
	}
	return resolved.Validate(content)
}
