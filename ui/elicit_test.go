package ui

import (
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/client"
	"goated/ui/view"
)

// A server that asks during a call asks in the conversation of that call, and Esc and
// Ctrl+Enter answer it; the composer keeps the focus.
func TestAServerAsksInTheConversationOfItsCall(t *testing.T) {
	for _, accept := range []bool{true, false} {
		d := newDesk(t, Options{})
		d.show()
		c := d.chats.Conversation()
		c.Chat = view.Chat{}.Say("go").Apply(agent.ToolCalled{ID: "call-1", Server: "fast", Tool: "ask"}).Apply(agent.ToolDecided{ID: "call-1", Decision: agent.AllowOnce})
		c.Cancel = func() {}
		got := make(chan *mcp.ElicitResult, 1)
		go func() {
			r, err := d.options.Dialogs.Elicit(t.Context(), client.Asker{ID: "fast", Name: "fast", Start: "/srv/fast.py"}, &mcp.ElicitParams{
				Message:         "Which colour?",
				RequestedSchema: schema(t, `{"type":"object","properties":{"colour":{"type":"string","default":"sage"}}}`),
			})
			if err != nil {
				t.Error(err)
			}
			got <- r
		}()
		d.until("the question is open", d.chats.Questions.Open)
		if !d.reads("fast asks you") || !d.reads("/srv/fast.py") || !d.reads("“Which colour?”") || len(d.shell.Sheets.All) > 0 {
			t.Error("the card does not say who asks what")
		}
		d.clock = d.clock.Add(time.Second)
		want := "decline"
		if accept {
			want = "accept"
			d.hurry()
		} else {
			d.escape()
		}
		r := <-got
		if r.Action != want || accept && r.Content["colour"] != "sage" || d.chats.Questions.Open() {
			t.Errorf("the answer is %+v", r)
		}
	}
}
