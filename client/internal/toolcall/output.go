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

// Outputs check results against the output schemas of tools. They compile the schema of a tool
// once, for compiling one takes longer than a fast call. The zero value is ready. It is safe
// for concurrent use.
type Outputs struct {
	mu     sync.Mutex
	byName map[string]output
}

// An output is the output schema of a tool.
type output struct {
	tool    *mcp.Tool
	checker *schemacheck.Checker // nil: it cannot be checked
}

// Check adds a note to a result that does not match the output schema of its tool, so that
// neither the user nor the model takes it for what was promised: "Servers MUST provide
// structured results that conform to this schema" (MCP, Tools).
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

// checker returns the checker of a tool's output schema; nil if the schema cannot be checked.
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

// The texts of a failed result whose reason is not text.
const (
	NoReason = "the server gave no reason"
	noWords  = "the server gave no reason in words"
)

// Text returns why a result is an error: its texts and those of its resources, or else its
// structured content. Without them it is [NoReason], or says that the result has other data.
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
			return noWords
		}
	}
	return NoReason
}

// remarshal converts a value of JSON to another type.
func remarshal(from, to any) error {
	data, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, to)
}

// fault says how a result breaks an output schema; nil if it does not, or if there is no checker.
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
