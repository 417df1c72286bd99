package toolcall

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/exact"
	"goated/internal/schemacheck"
)

// Outputs checks results against the output schemas of tools. It compiles each tool's schema once,
// because that takes longer than a fast call. The zero value is ready to use. It is safe for
// concurrent use.
type Outputs struct {
	mu     sync.Mutex
	byName map[string]output
}

// An output is the output schema of a tool.
type output struct {
	tool    *mcp.Tool
	checker *schemacheck.Checker // nil if the schema cannot be checked
}

// Check adds a note to a result that does not match the output schema of its tool. Otherwise the
// user and the model would trust the structure: "Servers MUST provide structured results that
// conform to this schema" (MCP, Tools).
func (o *Outputs) Check(tool *mcp.Tool, r *mcp.CallToolResult) error {
	if tool.OutputSchema == nil || r.IsError {
		return nil
	}
	err := fault(o.checker(tool), r)
	if err != nil {
		r.Content = append(r.Content, &mcp.TextContent{Text: "Note of goated: this result breaks the output schema of its tool: " + err.Error() + "."})
	}
	return err
}

// checker returns the checker of a tool's output schema, or nil if the schema cannot be checked.
func (o *Outputs) checker(tool *mcp.Tool) *schemacheck.Checker {
	o.mu.Lock()
	defer o.mu.Unlock()
	if known, ok := o.byName[tool.Name]; ok && known.tool == tool {
		return known.checker
	}
	checker := schemacheck.New(tool.OutputSchema)
	if o.byName == nil {
		o.byName = make(map[string]output)
	}
	o.byName[tool.Name] = output{tool, checker}
	return checker
}

// The texts for a failed result whose reason is not text.
const (
	NoReason     = "the server gave no reason"
	noTextReason = "the server gave no reason in words"
)

// Text returns why a result is an error: its texts and those of its resources, otherwise its
// structured content. If there are none, it returns [NoReason] or a text that mentions the other
// data.
func Text(r *mcp.CallToolResult) string {
	var said []string
	for _, c := range r.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			said = append(said, c.Text)
		case *mcp.EmbeddedResource:
			if c.Resource != nil && c.Resource.Text != "" {
				said = append(said, c.Resource.Text)
			}
		}
	}
	if strings.TrimSpace(strings.Join(said, "")) != "" {
		return strings.Join(said, "\n")
	}
	if data, err := exact.Encode(r.StructuredContent); err == nil && string(data) != "null" {
		return string(data)
	}
	for _, c := range r.Content {
		if _, text := c.(*mcp.TextContent); !text {
			return noTextReason
		}
	}
	return NoReason
}

// remarshal converts a JSON value to another type.
func remarshal(from, to any) error {
	data, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, to)
}

// fault returns how a result violates an output schema. It returns nil if the result matches, or if
// there is no checker.
func fault(checker *schemacheck.Checker, r *mcp.CallToolResult) error {
	if checker == nil {
		return nil
	}
	if r.StructuredContent == nil {
		return fmt.Errorf("it has no structured content")
	}
	var content any
	if raw, ok := r.StructuredContent.(json.RawMessage); ok {
		if json.Unmarshal(raw, &content) != nil {
			return nil
		}
	} else if remarshal(r.StructuredContent, &content) != nil {
		return nil
	}
	if err := checker.Check(content); err != nil {
		return mismatch(err)
	}
	return nil
}
