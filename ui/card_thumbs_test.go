package ui_test

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/ui"
	"goated/ui/internal/samples"
	"goated/ui/view"
)

// The picture that a tool returns is visible without a click. The open card does not show it
// twice.
func TestFoldedCardShowsItsPicture(t *testing.T) {
	d := shown(t, ui.Options{})
	d.window.ShowChat(view.Chat{}.Say("go").Apply(agent.ToolCalled{ID: "1", Server: "kitchen", Tool: "picture"}).
		Apply(agent.ToolDecided{ID: "1", Decision: agent.AllowOnce}).
		Apply(agent.ToolReturned{ID: "1", Result: &mcp.CallToolResult{Content: []mcp.Content{
			&mcp.TextContent{Text: "Here is the picture"}, &mcp.ImageContent{Data: samples.Chart(400, 250), MIMEType: "image/png"}}}}), false)
	d.until("the picture is visible", func() bool { return d.Pictures() == 1 })
	d.Press("picture")
	d.until("the open card has it", func() bool { return d.Reads("No arguments.") && !d.Reads("Reading the image…") && d.Pictures() == 1 })
}
