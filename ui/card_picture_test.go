package ui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/ui"
	"goated/ui/internal/samples"
	"goated/ui/view"
)

// chatOf returns a chat with a question and these events after it.
func chatOf(events ...agent.Event) view.Chat {
	c := view.Chat{}.Say("How are the regions doing this week?")
	for _, e := range events {
		c = c.Apply(e)
	}
	return c
}

func TestPictureCardRunning(t *testing.T) {
	for _, dark := range []bool{false, true} {
		d := pictured(t, dark, ui.Options{})
		d.window.ShowChat(chatOf(
			agent.ToolCalled{ID: "1", Server: "warehouse", Tool: "export_orders", Args: map[string]any{"since": "2026-10-01", "region": "EU", "format": "parquet"}},
			agent.ToolDecided{ID: "1", Decision: agent.AllowOnce, At: d.clock.Add(-12400 * time.Millisecond)},
			agent.ToolProgressed{ID: "1", Progress: 4200, Total: 10000, Message: "connecting to replica eu-2\nreading orders_2026_10\nwarning: 3 rows without a customer, skipped\nwrote part-0001.parquet (1,400 rows)\nwrote part-0002.parquet (1,400 rows)\nwrote part-0003.parquet (1,400 rows)"},
			agent.ToolCalled{ID: "2", Server: "filesystem", Tool: "search_files", Args: map[string]any{"pattern": "*.md", "path": "reports"}},
			agent.ToolDecided{ID: "2", Decision: agent.AllowOnce, At: d.clock.Add(-3 * time.Second)},
			agent.ToolProgressed{ID: "2", Progress: 812, Message: "looking in reports/2025/archive"},
			agent.ToolCalled{ID: "3", Server: "metrics", Tool: "query_range", Args: map[string]any{"expr": "p95(latency)"}},
			agent.ToolDecided{ID: "3", Decision: agent.AllowOnce, At: d.clock.Add(-400 * time.Millisecond)},
			agent.ToolCalled{ID: "4", Server: "mail", Tool: "send_report", Args: map[string]any{"to": "ada@example.com"}},
		), true)
		d.Press("export_orders")
		d.beats(9)
		d.scrollToTop()
		d.looksLike("card_running", dark)
	}
}

// account is a JSON object with nested objects.
const account = `{
	"account": {"id": 90071992547409931, "name": "Ada Lovelace", "tags": ["vip", "eu"], "address": {"city": "London", "zip": "NW1"}},
	"open": true, "note": null,
	"items": [{"sku": "A-1", "count": 2, "price": 19.90}, {"sku": "B-7", "count": 1, "price": 240}],
	"total": 279.8
}`

// regions is a list of objects.
const regions = `[
	{"region": "eu-west", "requests": 1204332, "errors": 112, "p95_ms": 212.4, "status": "degraded", "owner": "Ada"},
	{"region": "eu-north", "requests": 88120, "errors": 0, "p95_ms": 98.0, "status": "ok", "owner": null},
	{"region": "us-east", "requests": 2004551, "errors": 51, "p95_ms": 120.8, "status": "ok", "owner": "Grace"},
	{"region": "us-west", "requests": 931440, "errors": 9, "p95_ms": 117.2, "status": "ok", "owner": "Grace"},
	{"region": "ap-south", "requests": 402199, "errors": 33, "p95_ms": 181.5, "status": "ok"}
]`

func TestPictureCardComplete(t *testing.T) {
	for _, dark := range []bool{false, true} {
		d := pictured(t, dark, ui.Options{})
		d.window.ShowChat(chatOf(
			agent.ToolCalled{ID: "1", Server: "metrics", Tool: "by_region", Args: map[string]any{"range": "7d", "limit": 5}},
			agent.ToolDecided{ID: "1", Decision: agent.AllowOnce},
			agent.ToolReturned{ID: "1", Duration: 840 * time.Millisecond, Result: textResult(regions)},
			agent.ToolCalled{ID: "2", Server: "shop", Tool: "get_order"},
			agent.ToolDecided{ID: "2", Decision: agent.AllowOnce},
			agent.ToolReturned{ID: "2", Duration: 52 * time.Millisecond, Result: textResult(account)},
		), false)
		d.Press("2 calls")
		d.Press("get_order")
		if !dark {
			d.Press("by_region")
		}
		d.scrollToTop()
		d.looksLike("card_complete", dark)
	}
}

// The last call has just failed, so its card flashes.
func TestPictureCardFailed(t *testing.T) {
	d := pictured(t, false, ui.Options{})
	running := chatOf(
		agent.ToolCalled{ID: "1", Server: "warehouse", Tool: "export_orders", Args: map[string]any{"since": "2026-10-01"}},
		agent.ToolDecided{ID: "1", Decision: agent.AllowOnce},
		agent.ToolProgressed{ID: "1", Progress: 10, Total: 20, Message: "connecting to replica eu-2\nerror: connection reset by peer"},
		agent.ToolReturned{ID: "1", Duration: 4200 * time.Millisecond, Error: "tool execution failed: the replica closed the connection",
			Result: &mcp.CallToolResult{IsError: true, Content: textResult(`{"code": "E_REPLICA", "retry_after_s": 30}`).Content}},
		agent.ToolCalled{ID: "2", Server: "warehouse", Tool: "drop_table", Args: map[string]any{"name": "orders"}},
		agent.ToolDecided{ID: "2", Decision: agent.Deny, Asked: true},
		agent.ToolReturned{ID: "2", Error: "The user did not allow this call."},
		agent.ToolCalled{ID: "3", Server: "warehouse", Tool: "export_orders", Args: map[string]any{"since": "2026-11-01"}},
		agent.ToolDecided{ID: "3", Decision: agent.AllowOnce},
	)
	d.window.ShowChat(running, false)
	d.Press("export_orders")
	d.window.ShowChat(running.Apply(agent.ToolReturned{ID: "3", Duration: 60 * time.Second, Error: "Tool execution timeout after 60 seconds"}), false)
	d.beats(1)
	d.scrollToTop()
	d.looksLike("card_failed", false)
}

func TestPictureCardMedia(t *testing.T) {
	d := pictured(t, false, ui.Options{})
	size := int64(48_200)
	d.window.ShowChat(chatOf(
		agent.ToolCalled{ID: "1", Server: "charts", Tool: "draw", Args: map[string]any{"of": "orders"}},
		agent.ToolDecided{ID: "1", Decision: agent.AllowOnce},
		agent.ToolReturned{ID: "1", Duration: 1310 * time.Millisecond, Result: &mcp.CallToolResult{Content: []mcp.Content{
			&mcp.ImageContent{Data: samples.Chart(480, 200), MIMEType: "image/png"},
			&mcp.AudioContent{Data: make([]byte, 312_000), MIMEType: "audio/mpeg"},
			&mcp.ResourceLink{URI: "file:///reports/2026/Q3.md", Name: "Q3.md", Title: "Third quarter", Description: "What was written about it.", MIMEType: "text/markdown", Size: &size},
			&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "demo://notes/1.txt", MIMEType: "text/plain", Text: "Bars are orders per week.\nThe last is not over yet."}},
		}}},
	), false)
	d.Press("draw")
	d.until("the image is drawn", func() bool { return d.Pictures() > 0 })
	d.scrollToTop()
	d.looksLike("card_media", false)
}

func TestPictureViewer(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"generated": "2026-11-21T09:00:00Z", "orders": [`)
	for i := range 4000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id": %d, "customer": "customer-%04d", "total": %d.50, "note": "%s"}`, 100000+i, i*7919%5000, i*37%900, strings.Repeat("gift wrap, leave at the door; ", i%7))
	}
	b.WriteString(`], "refunds": [{"id": 1}, {"id": 2}]}`) // two lists do not become a table
	for _, dark := range []bool{false, true} {
		d := pictured(t, dark, ui.Options{})
		chat := chatOf(
			agent.ToolCalled{ID: "1", Server: "warehouse", Tool: "list_orders", Args: map[string]any{"since": "2026-10-01"}},
			agent.ToolDecided{ID: "1", Decision: agent.AllowOnce},
			agent.ToolReturned{ID: "1", Duration: 2 * time.Second, Result: textResult(b.String())},
		)
		d.window.ShowChat(chat, false)
		d.Press("list_orders")
		d.Press(d.Find("Show all"))
		d.until("the text is read", func() bool { return d.Says(`"orders": [`) })
		d.window.ShowChat(view.Chat{}, false)
		d.window.ShowChat(chat, false) // behind the viewer the card is folded again
		d.Enter("Find", "customer-0")
		d.until("the places are found", func() bool { return strings.HasPrefix(d.Find(" of "), "1 of ") })
		for range 3 {
			d.Key(fyne.KeyReturn)
		}
		d.FocusTree()
		d.looksLike("viewer", dark)
	}
}
