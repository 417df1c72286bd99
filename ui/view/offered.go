package view

import (
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/ui/view/format"
)

// ContentsText returns the content of a resource as text.
func ContentsText(c *mcp.ResourceContents) string {
	if len(c.Blob) > 0 {
		return format.Plural(len(c.Blob), "(%d byte of binary data)", "(%d bytes of binary data)")
	}
	return c.Text
}

// PromptText returns a prompt as text for the composer.
func PromptText(r *mcp.GetPromptResult) string {
	var texts []string
	for _, m := range r.Messages {
		switch c := m.Content.(type) {
		case *mcp.TextContent:
			texts = append(texts, c.Text)
		case *mcp.EmbeddedResource:
			if c.Resource != nil && c.Resource.Text != "" {
				texts = append(texts, c.Resource.Text)
			}
		}
	}
	return strings.Join(texts, "\n\n")
}
