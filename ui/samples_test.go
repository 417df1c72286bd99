package ui_test

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// textResult is what a tool returns as text.
func textResult(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}
