package ui_test

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/internal/waittest"
	"goated/ui/view"
)

// A resource link is read from the server that returned it, and a link to a file opens the
// file's folder. Before, both could only be copied. A link never opens a file, because the
// server chose it.
func TestResourceLinksAreReadFromTheirServer(t *testing.T) {
	d := offering(t)
	links := []mcp.Content{
		&mcp.ResourceLink{Name: "plan", URI: "memo://plan.md", MIMEType: "text/markdown"},
		&mcp.ResourceLink{Name: "memo", URI: "file:///srv/memos/today.txt"},
		&mcp.ResourceLink{Name: "none", URI: "none://x"},
		&mcp.ResourceLink{Name: "far", URI: "file://fileserver/share/a.txt"},
		&mcp.ResourceLink{Name: "page", URI: "https://example.org/a"},
	}
	chat := view.Chat{}.Apply(agent.ToolCalled{ID: "1", Server: "Memos", Tool: "links"}).Apply(agent.ToolDecided{ID: "1", Decision: agent.AllowOnce})
	d.window.ShowChat(chat.Apply(agent.ToolReturned{ID: "1", Result: &mcp.CallToolResult{Content: links}}), false)
	d.Press("links")
	if n, m := d.Count("Read"), d.Count("Show in folder"); n != 4 || m != 1 {
		t.Fatalf("%d links can be read, and %d show in a folder", n, m)
	}
	d.Press("Read")
	d.until("the plan shows", func() bool { return d.Says("Buy bread.") })
	d.closeSheets()
	d.Press("Read", 1)
	d.until("the memo shows", func() bool { return d.Says("Note of today.txt") })
	d.closeSheets()
	d.Press("Read", 2)
	d.until("the window says why", func() bool { return d.Says("Memos did not return it: ") })
	d.Press("Show in folder")
	if got := waittest.Receive(t, "the folder is opened", d.opened); got != "file:///srv/memos" {
		t.Errorf("%q was opened", got)
	}
}
