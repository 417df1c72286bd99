package ui

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/ui/kit"
	"goated/ui/transcript"
	"goated/ui/view"
)

// cards shows calls in a chat, each under the question that led to it.
func (d *desk) cards(events ...agent.Event) []*transcript.Card {
	c := view.Chat{}.Say("How are the regions doing this week?")
	for _, e := range events {
		c = c.Apply(e)
	}
	d.chats.Chats[0].Chat = c
	d.chats.Refresh()
	var out []*transcript.Card
	for _, r := range d.chats.Transcript.View.Rows {
		if c, ok := r.Block.(*transcript.Card); ok {
			out = append(out, c)
		}
	}
	return out
}

func said(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

func TestPictureCardRunning(t *testing.T) {
	for _, dark := range []bool{false, true} {
		matchGolden(t, "card_running", dark, func(d *desk) {
			d.chats.Chats[0].Cancel = func() {}
			cs := d.cards(
				agent.ToolCalled{ID: "1", Server: "warehouse", Tool: "export_orders", Args: map[string]any{"since": "2026-10-01", "region": "EU", "format": "parquet"}},
				agent.ToolDecided{ID: "1", Decision: agent.AllowOnce, At: d.clock.Add(-12400 * time.Millisecond)},
				agent.ToolProgressed{ID: "1", Progress: 4200, Total: 10000, Message: "connecting to replica eu-2\nreading orders_2026_10\nwarning: 3 rows without a customer, skipped\nwrote part-0001.parquet (1,400 rows)\nwrote part-0002.parquet (1,400 rows)\nwrote part-0003.parquet (1,400 rows)"},
				agent.ToolCalled{ID: "2", Server: "filesystem", Tool: "search_files", Args: map[string]any{"pattern": "*.md", "path": "reports"}},
				agent.ToolDecided{ID: "2", Decision: agent.AllowOnce, At: d.clock.Add(-3 * time.Second)},
				agent.ToolProgressed{ID: "2", Progress: 812, Message: "looking in reports/2025/archive"},
				agent.ToolCalled{ID: "3", Server: "metrics", Tool: "query_range", Args: map[string]any{"expr": "p95(latency)"}},
				agent.ToolDecided{ID: "3", Decision: agent.AllowOnce, At: d.clock.Add(-400 * time.Millisecond)},
				agent.ToolCalled{ID: "4", Server: "mail", Tool: "send_report", Args: map[string]any{"to": "ada@example.com"}},
			)
			cs[0].Toggle()
			d.beats(9)
			d.chats.Transcript.View.Scroll.Scroll.ScrollToTop()
		})
	}
}

const orders = `{
	"account": {"id": 90071992547409931, "name": "Ada Lovelace", "tags": ["vip", "eu"], "address": {"city": "London", "zip": "NW1"}},
	"open": true, "note": null,
	"items": [{"sku": "A-1", "count": 2, "price": 19.90}, {"sku": "B-7", "count": 1, "price": 240}],
	"total": 279.8
}`

const regions = `[
	{"region": "eu-west", "requests": 1204332, "errors": 112, "p95_ms": 212.4, "status": "degraded", "owner": "Ada"},
	{"region": "eu-north", "requests": 88120, "errors": 0, "p95_ms": 98.0, "status": "ok", "owner": null},
	{"region": "us-east", "requests": 2004551, "errors": 51, "p95_ms": 120.8, "status": "ok", "owner": "Grace"},
	{"region": "us-west", "requests": 931440, "errors": 9, "p95_ms": 117.2, "status": "ok", "owner": "Grace"},
	{"region": "ap-south", "requests": 402199, "errors": 33, "p95_ms": 181.5, "status": "ok"}
]`

func TestPictureCardComplete(t *testing.T) {
	for _, dark := range []bool{false, true} {
		matchGolden(t, "card_complete", dark, func(d *desk) {
			cs := d.cards(
				agent.ToolCalled{ID: "1", Server: "metrics", Tool: "by_region", Args: map[string]any{"range": "7d", "limit": 5}},
				agent.ToolDecided{ID: "1", Decision: agent.AllowOnce},
				agent.ToolReturned{ID: "1", Duration: 840 * time.Millisecond, Result: said(regions)},
				agent.ToolCalled{ID: "2", Server: "shop", Tool: "get_order"},
				agent.ToolDecided{ID: "2", Decision: agent.AllowOnce},
				agent.ToolReturned{ID: "2", Duration: 52 * time.Millisecond, Result: said(orders)},
			)
			cs[1].Toggle()
			if !dark {
				cs[0].Toggle()
			}
			d.chats.Transcript.View.Scroll.Scroll.ScrollToTop()
		})
	}
}

func TestPictureCardFailed(t *testing.T) {
	matchGolden(t, "card_failed", false, func(d *desk) {
		cs := d.cards(
			agent.ToolCalled{ID: "1", Server: "warehouse", Tool: "export_orders", Args: map[string]any{"since": "2026-10-01"}},
			agent.ToolDecided{ID: "1", Decision: agent.AllowOnce},
			agent.ToolProgressed{ID: "1", Progress: 10, Total: 20, Message: "connecting to replica eu-2\nerror: connection reset by peer"},
			agent.ToolReturned{ID: "1", Duration: 4200 * time.Millisecond, Error: "tool execution failed: the replica closed the connection",
				Result: &mcp.CallToolResult{IsError: true, Content: said(`{"code": "E_REPLICA", "retry_after_s": 30}`).Content}},
			agent.ToolCalled{ID: "2", Server: "warehouse", Tool: "drop_table", Args: map[string]any{"name": "orders"}},
			agent.ToolDecided{ID: "2", Decision: agent.Deny, Asked: true},
			agent.ToolReturned{ID: "2", Error: "The user did not allow this call."},
			agent.ToolCalled{ID: "3", Server: "warehouse", Tool: "export_orders", Args: map[string]any{"since": "2026-11-01"}},
			agent.ToolDecided{ID: "3", Decision: agent.AllowOnce},
			agent.ToolReturned{ID: "3", Duration: 60 * time.Second, Error: "Tool execution timeout after 60 seconds"},
		)
		cs[0].Toggle()
		cs[2].Halo.Light(kit.ColorBad)
		d.beats(1)
		d.chats.Transcript.View.Scroll.Scroll.ScrollToTop()
	})
}

// chart is a picture as a tool would draw one.
func chart(width, height int) []byte {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.RGBA{250, 250, 248, 255}
			bar := x / max(width/12, 1)
			if x%max(width/12, 1) > width/50 && height-y < height*(3+bar*bar%7)/12 {
				c = color.RGBA{uint8(93 + bar*8), 133, uint8(112 + bar*4), 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	var b bytes.Buffer
	_ = png.Encode(&b, img)
	return b.Bytes()
}

func TestPictureCardMedia(t *testing.T) {
	matchGolden(t, "card_media", false, func(d *desk) {
		d.chats.Transcript.Actions.Begin = nil // so that the image is there at once
		size := int64(48_200)
		cs := d.cards(
			agent.ToolCalled{ID: "1", Server: "charts", Tool: "draw", Args: map[string]any{"of": "orders"}},
			agent.ToolDecided{ID: "1", Decision: agent.AllowOnce},
			agent.ToolReturned{ID: "1", Duration: 1310 * time.Millisecond, Result: &mcp.CallToolResult{Content: []mcp.Content{
				&mcp.ImageContent{Data: chart(480, 200), MIMEType: "image/png"},
				&mcp.AudioContent{Data: make([]byte, 312_000), MIMEType: "audio/mpeg"},
				&mcp.ResourceLink{URI: "file:///reports/2026/Q3.md", Name: "Q3.md", Title: "Third quarter", Description: "What was written about it.", MIMEType: "text/markdown", Size: &size},
				&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "demo://notes/1.txt", MIMEType: "text/plain", Text: "Bars are orders per week.\nThe last is not over yet."}},
			}}},
		)
		cs[0].Toggle()
		d.chats.Transcript.View.Scroll.Scroll.ScrollToTop()
	})
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
	b.WriteString(`]}`)
	for _, dark := range []bool{false, true} {
		matchGolden(t, "viewer", dark, func(d *desk) {
			d.chats.Transcript.Actions.Begin = nil
			cs := d.cards(
				agent.ToolCalled{ID: "1", Server: "warehouse", Tool: "list_orders", Args: map[string]any{"since": "2026-10-01"}},
				agent.ToolDecided{ID: "1", Decision: agent.AllowOnce},
				agent.ToolReturned{ID: "1", Duration: 2 * time.Second, Result: said(b.String())},
			)
			p := cs[0].Item.Content.Parts[0]
			p.Name = "list_orders"
			d.view(p)
			d.frame.viewer.Query.Put("customer-0")
			d.frame.viewer.Step(1)
			d.frame.viewer.Step(1)
			d.frame.viewer.Step(1)
		})
	}
}

// A long text on a card keeps the lines of the width that it has, also when Fyne
// asks for the smallest size of all that is around it.
func TestCardKeepsItsLines(t *testing.T) {
	d := newDesk(t, Options{})
	line := strings.Repeat("word ", 12)
	cs := d.cards(
		agent.ToolCalled{ID: "1", Server: "files", Tool: "read"},
		agent.ToolDecided{ID: "1", Decision: agent.AllowOnce},
		agent.ToolReturned{ID: "1", Result: said(strings.Repeat(line+"\n", 100))},
	)
	cs[0].Toggle()
	rows := func() (n int) {
		find(d, func(r *kit.List) bool { n = max(n, r.Count); return false })
		return n
	}
	before := rows()
	var ask func(o fyne.CanvasObject)
	ask = func(o fyne.CanvasObject) {
		o.MinSize()
		if c, ok := o.(*fyne.Container); ok {
			for _, child := range c.Objects {
				ask(child)
			}
		}
	}
	ask(cs[0].Object())
	if after := rows(); before < 100 || before > 110 || after != before {
		t.Errorf("%d rows, and then %d", before, after)
	}
}
