package transcript

import (
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/ui/view"
)

// A resource whose address is a web page can be opened. Without a window, other resources can
// only be copied.
func TestWebResourcesOpen(t *testing.T) {
	d := newDesk(t)
	chat := view.Chat{}.Apply(agent.ToolCalled{ID: "1", Server: "s", Tool: "links"}).Apply(agent.ToolDecided{ID: "1", Decision: agent.AllowOnce})
	chat = chat.Apply(agent.ToolReturned{ID: "1", Result: &mcp.CallToolResult{Content: []mcp.Content{
		&mcp.ResourceLink{Name: "page", URI: "https://example.org/a"},
		&mcp.ResourceLink{Name: "file", URI: "file:///etc/passwd"},
		&mcp.ResourceLink{Name: "none", URI: "https:///a"},
	}}})
	d.show(chat, false)
	d.Press("links")
	if n, m := d.Count("Open"), d.Count("Copy URI"); n != 1 || m != 3 {
		t.Fatalf("%d of 3 links open, and %d can be copied", n, m)
	}
	d.Press("Open")
	if !slices.Equal(d.opened, []string{"https://example.org/a"}) {
		t.Errorf("%q was opened", d.opened)
	}
}
