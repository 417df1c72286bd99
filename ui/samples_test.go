package ui_test

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// textResult returns text as the result of a tool.
func textResult(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}
