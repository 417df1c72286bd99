package view

import (
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
