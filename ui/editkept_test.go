package ui_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent"
	"goated/registry"
	"goated/ui"
	"goated/ui/internal/samplechat"
)

// What the user has typed into an edited message survives a look at another conversation. The
// same holds for a waiting message.
func TestAnEditSurvivesAnotherConversation(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("first")
	d.newChat()
	d.says("other")
	d.Press("first")
	d.until("the conversation is read", d.window.Settled)
	d.act("first", "Edit and send again")
	d.Enter(editField, "a long new text")
	d.Press("other")
	if d.HasField(editField) {
		t.Fatal("the field is in another conversation")
	}
	d.Press("first")
	d.until("the edit is there again", func() bool { return d.HasField(editField) && d.Field(editField) == "a long new text" })
	d.Press("Save")
	d.settled()
	d.shows("a long new text", "2/2", "You said: a long new text")
	d.Press("other")
	d.Press("a long new text")
	if d.HasField(editField) {
		t.Error("a saved edit comes back")
	}
}

// A quit lost what the user had typed into an edit, although it kept a draft. The text is now
// in the composer of the next window, even if the user had left its conversation.
func TestAnEditSurvivesTheEndOfTheWindow(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("first")
	d.act("first", "Edit and send again")
	d.Enter(editField, "cancelled")
	d.Press("Cancel")
	d.act("first", "Edit and send again")
	d.Enter(editField, "a long new text")
	d.newChat()
	d.window.Close()
	again := keeping(t, s)
	again.until("the history is listed", func() bool { return again.Reads("first") })
	again.Press("first")
	again.until("the text is in the composer", func() bool { return again.draft() == "a long new text" })
	again.until("the conversation is read", func() bool { return slices.Contains(again.transcript(), "first") })
	again.act("first", "Edit and send again")
	again.Enter(editField, "sent")
	again.Press("Save")
	again.settled()
	again.window.Close()
	last := keeping(t, s)
	last.until("the history is listed", func() bool { return last.Reads("sent") })
	last.Press("sent")
	last.until("the conversation is read", func() bool { return slices.Contains(last.transcript(), "sent") })
	if last.draft() != "a long new text" {
		t.Errorf("the composer holds %q", last.draft())
	}
}

// The message that is being answered can be edited, too. Saving the edit stops the answer.
func TestTheMessageThatIsAnsweredCanBeEdited(t *testing.T) {
	d, answer := gated(t)
	d.send("one")
	answer()
	d.settled()
	for i, message := range []string{"two", "three"} {
		d.send(message)
		d.until("the turn is saved", func() bool {
			d.Hover(message, strings.Count(strings.Join(d.Texts(), "\x00")+"\x00", "\x00"+message+"\x00")-1)
			return d.busy()
		})
		d.until("the message is a field", func() bool {
			if !d.HasField(editField) {
				d.PressIcon("pencil", d.Icons("pencil")-1)
			}
			return d.FieldFocused(editField)
		})
		d.Enter(editField, fmt.Sprintf("changed %d", i))
		d.Press("Save")
		answer()
		d.until("the answer is there", func() bool { return slices.Contains(d.transcript(), fmt.Sprintf("You said: changed %d", i)) })
		d.settled()
	}
	if got := d.model.read(); !slices.Equal(got, []string{"one", "You said: one", "changed 0", "You said: changed 0", "changed 1"}) {
		t.Errorf("the model reads %q", got)
	}
}

// An edit of a waiting message survives the text that arrives above it.
func TestAnEditOfAWaitingMessageSurvivesTheAnswer(t *testing.T) {
	parts := make(chan string)
	d := shown(t, ui.Options{Agent: ui.AgentOptions{NewSession: sessions(samplechat.Model(func(ctx context.Context, _ []*genai.Content, yield func(string, error) bool) {
		for {
			select {
			case p := <-parts:
				if p == "" {
					return
				}
				yield(p, nil)
			case <-ctx.Done():
				return
			}
		}
	}))}})
	d.send("one")
	d.until("the turn begins", d.busy)
	d.send("two")
	d.PressIcon("pencil", d.Icons("pencil")-1)
	d.until("the field has the focus", func() bool { return d.FieldFocused(editField) })
	d.Enter(editField, "two, longer")
	say := func(text string) {
		select {
		case parts <- text:
		case <-time.After(patience):
			t.Error("the model does not listen")
		}
	}
	say("It begins. ")
	d.until("the answer begins", func() bool { return d.Says("It begins.") })
	if !d.HasField(editField) || d.Field(editField) != "two, longer" || !d.FieldFocused(editField) {
		t.Fatalf("the field is gone: %q", d.transcript())
	}
	say("")
	d.until("the next turn begins", func() bool { return d.busy() && !d.Reads("Sent when the answer ends") })
	if !d.HasField(editField) && d.draft() != "two, longer" {
		t.Errorf("what was typed is gone: %q, and the composer holds %q", d.transcript(), d.draft())
	}
}

// An asking is a model that calls its tool once per message.
type asking struct{ known registry.Registry }

func (a *asking) Tools() iter.Seq[registry.Entry] { return slices.Values(a.known.All()) }

func (a *asking) Lookup(name string) (registry.Entry, error) {
	e, ok := a.known.Lookup(name)
	if !ok {
		return e, errBoom
	}
	return e, nil
}

func (a *asking) CallEntry(context.Context, registry.Entry, map[string]any, func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil
}

func (a *asking) Generate(_ context.Context, history []*genai.Content, _ *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	part := genai.NewPartFromText("Finished.")
	if history[len(history)-1].Parts[0].FunctionResponse == nil {
		part = genai.NewPartFromFunctionCall("box__pack", map[string]any{})
	}
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		yield(&genai.GenerateContentResponse{Candidates: []*genai.Candidate{{
			Content: &genai.Content{Role: genai.RoleModel, Parts: []*genai.Part{part}}, FinishReason: genai.FinishReasonStop,
		}}}, nil)
	}
}

// Permissions for a conversation still apply there after an edit, another answer and a
// deletion.
func TestAllowedInTheConversationSurvivesAnEdit(t *testing.T) {
	s, _ := archive(t)
	model := &asking{}
	model.known.Set("box", false, registry.Origin{Connection: 1}, []*mcp.Tool{{Name: "pack", InputSchema: map[string]any{"type": "object"}}})
	var asked atomic.Int64
	d := shown(t, ui.Options{History: s, Agent: ui.AgentOptions{NewSession: func() *agent.Session {
		return &agent.Session{Model: model, Tools: model, Approve: func(_ context.Context, calls []agent.Pending) ([]agent.Answer, error) {
			asked.Add(1)
			return []agent.Answer{{Decision: agent.AllowChat}}, nil
		}}
	}}})
	d.says("one")
	d.says("two")
	d.act("two", "Delete the message and its answer")
	d.settled()
	d.edits("one", "uno")
	d.act("Finished.", "Answer again")
	d.settled()
	if n := asked.Load(); n != 1 {
		t.Errorf("the user is asked %d times", n)
	}
}
