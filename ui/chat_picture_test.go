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
	"goated/ui/chats"
	"goated/ui/internal/samplechat"
	"goated/ui/internal/samples"
	"goated/ui/transcript"
	"goated/ui/view"
)

func TestPictureEmpty(t *testing.T) {
	pictured(t, false, ui.Options{}).looksLike("empty", false)
}

// conversationOf returns a conversation of a window, with a session.
func conversationOf(c view.Chat) *chats.Conversation {
	return &chats.Conversation{Session: &agent.Session{}, Chat: c}
}

// chatWith returns a conversation with one message.
func chatWith(text string) *chats.Conversation { return conversationOf(view.Chat{}.Say(text)) }

func TestPictureChat(t *testing.T) {
	for _, dark := range []bool{false, true} {
		d := pictured(t, dark, ui.Options{})
		first := conversationOf(samplechat.Chat())
		first.Cancel = func() {}
		d.window.ShowChats(0, first, chatWith("Rename the invoice folder by month and year"), chatWith("Plan a weekend walk"))
		d.Press("query_range")
		d.scrollToTop()
		d.looksLike("chat", dark)
	}
}

// A list of objects is shown as a table, and the card shows what the model received.
func TestPictureTable(t *testing.T) {
	var rows strings.Builder
	for i, name := range []string{"Nordlicht GmbH", "Café Lumière", "Mara Keller", "東京文具", "Hütte am See", "Blue Pencil Ltd", "Jonas Bauer"} {
		for j := range 500 {
			fmt.Fprintf(&rows, `,{"id":%d,"date":"2026-%02d-14","customer":%q,"country":"Germany","amount":%d.%02d,"status":"paid","tags":["a",%d]}`, 10482+i*500+j, i+1, name, 9980-i*97-j, j%100, j)
		}
	}
	for _, dark := range []bool{false, true} {
		d := pictured(t, dark, ui.Options{})
		d.window.ShowChat(view.Chat{}.Say("Which orders of this year were the largest?").
			Apply(agent.ToolCalled{ID: "1", Server: "shop", Tool: "list_orders", Args: map[string]any{"year": 2026}}).
			Apply(agent.ToolDecided{ID: "1", Decision: agent.AllowOnce}).
			Apply(agent.ToolReturned{ID: "1", Duration: 218 * time.Millisecond, Result: &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "[" + rows.String()[1:] + "]"}}}}).
			Apply(agent.TextDelta{Text: "The largest is number 10482 from Nordlicht GmbH."}), false)
		d.Press("list_orders")
		d.scrollToTop()
		d.looksLike("table", dark)
	}
}

func TestPictureAnswer(t *testing.T) {
	d := pictured(t, false, ui.Options{})
	c := view.Chat{}.Say("Explain it,\nthen book a table.")
	for _, e := range []agent.Event{
		agent.ThoughtDelta{Text: "They want an explanation first."},
		agent.TextDelta{Text: "## How it works\n\nA handler *streams* its rows, see `Handler`:\n\n```go\nfunc Handler(w http.ResponseWriter) {\n\tenc := json.NewEncoder(w)\n}\n```\n\n> Nothing is buffered.\n\n- one\n  - under it\n\n| Metric | Q3 |\n|---|---|\n| Latency | 212 ms |\n| Churn | 2.1 % |"},
		agent.ToolCalled{ID: "1", Server: "tables", Tool: "book_table"},
		agent.ToolDecided{ID: "1"},
		agent.ToolReturned{ID: "1", Error: "the user did not allow it"},
		agent.TurnEnded{Reason: agent.StepLimit, Steps: 10},
	} {
		c = c.Apply(e)
	}
	d.show(c.Fail(errBoom))
	d.window.Shell().Toasts.Say("check", "Connected to filesystem · 11 tools")
	d.looksLike("answer", false)
}

func TestPictureReading(t *testing.T) {
	for _, dark := range []bool{false, true} {
		for _, name := range []string{"reading", "reading_end"} {
			d := pictured(t, dark, ui.Options{})
			d.window.ShowActions(func(string, int) {})
			d.window.ShowChat(view.Chat{}.Say("Can you check how we did against our Q3 targets, and tell me what to fix first?").
				Apply(agent.ThoughtDelta{Text: "The report comes first."}).
				Apply(agent.TextDelta{Text: samples.RichAnswer}).
				Apply(agent.TurnEnded{Reason: agent.Done, Usage: agent.Usage{Prompt: 1000, Answer: 204}}), false)
			if name == "reading" {
				d.scrollToTop()
			}
			d.until("listings have their colours", d.window.Coloured)
			d.looksLike(name, dark)
		}
	}
}

func TestPictureFind(t *testing.T) {
	for _, dark := range []bool{false, true} {
		d := pictured(t, dark, ui.Options{})
		d.window.ShowChat(view.Chat{}.Say("Was the target met in the EU region?").
			Apply(agent.TextDelta{Text: samples.RichAnswer}).
			Apply(agent.TurnEnded{Reason: agent.Done}), false)
		d.scrollToTop()
		d.Ctrl(fyne.KeyF)
		d.Type("target")
		d.until("the words are found", func() bool { return d.Reads("1 of 4") })
		d.window.ShowSelection(transcript.TextPos{Item: 1, Part: 1, At: 2}, transcript.TextPos{Item: 1, Part: 4, At: 70})
		d.window.ShowLink(0, "https://grafana.example.org/d/q3")
		d.until("listings have their colours", d.window.Coloured)
		d.looksLike("find", dark)
	}
}
