package ui

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/client"
	"goated/servers/pause/dialog"
	"goated/ui/internal/screentest"
	"goated/ui/kit"
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
		turning := func() int { return len(all(d, func(s *kit.Spinner) bool { return s.Ticker != nil })) }
		if turning() > 0 || !d.reads("Waiting") {
			t.Error("the call looks as if it worked while it waits for the user")
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
		if turning() == 0 || !d.reads("Running") {
			t.Error("the call does not go on after the answer")
		}
	}
}

// planning asks a planner as goated's own pause server does, during a call of the shown
// conversation. It returns the result of the elicitation.
func (d *desk) planning(t *testing.T) <-chan *mcp.ElicitResult {
	t.Helper()
	c := d.chats.Conversation()
	c.Chat = view.Chat{}.Say("go").Apply(agent.ToolCalled{ID: "call-1", Server: "pause", Tool: "planner"}).Apply(agent.ToolDecided{ID: "call-1", Decision: agent.AllowOnce})
	c.Cancel = func() {}
	got := make(chan *mcp.ElicitResult, 1)
	go func() {
		r, err := d.options.Dialogs.Elicit(t.Context(), client.Asker{ID: "pause", Name: "pause", Start: "goated pause"}, &mcp.ElicitParams{
			Message: "Which part?",
			Meta: mcp.Meta{client.DialogExtension: map[string]any{"kind": "planner", "question": map[string]any{
				"decision_context": "Which part should come first?", "plan": "1. store\n2. screens",
				"options": []any{map[string]any{"label": "Store first", "value": "store"}, map[string]any{"label": "Screens first", "value": "screens"}},
			}}},
		})
		if err != nil {
			t.Error(err)
		}
		got <- r
	}()
	d.until("the dialog is open", d.chats.Questions.Open)
	return got
}

// A dialog of goated's own pause stands in the conversation of its call, never on a
// sheet over it, and takes the keys while the composer is empty.
func TestADialogStandsInTheConversationOfItsCall(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	keys := screentest.New(t, d.frame.win)
	got := d.planning(t)
	if !d.reads("Which part should come first?") || !d.reads("Planner · The model of this conversation asks") || len(d.shell.Sheets.All) > 0 {
		t.Error("the dialog is not in the conversation")
	}
	d.escape()
	keys.Type("2d")
	if !d.chats.Questions.Open() {
		t.Fatal("a key right after the dialog appeared answers it")
	}
	d.clock = d.clock.Add(time.Second)
	keys.Ctrl(fyne.KeyReturn)
	r := <-got
	a, _ := r.Meta[client.DialogExtension].(dialog.Answer)
	if r.Action != "accept" || a.Choice != "screens" || a.ThinkingMode != dialog.Deep || d.chats.Questions.Open() {
		t.Errorf("the answer is %+v", r)
	}
	keys.Type("thanks")
	if d.chats.Composer.Input.Text != "thanks" {
		t.Errorf("after the answer, the keys go elsewhere: %q", d.chats.Composer.Input.Text)
	}
}

// A dialog never takes the letters of a message that the user is writing.
func TestADialogLeavesTheComposerAlone(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	keys := screentest.New(t, d.frame.win)
	keys.Type("2 things: ")
	got := d.planning(t)
	d.clock = d.clock.Add(time.Second)
	keys.Type("plan, 1")
	if text := d.chats.Composer.Input.Text; text != "2 things: plan, 1" || !d.chats.Questions.Open() {
		t.Errorf("the composer has %q", text)
	}
	keys.Key(fyne.KeyEscape)
	if r := <-got; r.Action != "cancel" {
		t.Errorf("Esc answers %+v", r)
	}
}
