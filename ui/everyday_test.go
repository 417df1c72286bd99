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

	"fyne.io/fyne/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/waittest"
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

// The window reports files that a message cannot take because there are too many.
func TestFilesThatAreTooManyAreSaid(t *testing.T) {
	put := files(t)
	var all []fyne.URI
	for i := range 12 {
		all = append(all, put(fmt.Sprintf("note%d.txt", i), []byte("notes\n")))
	}
	d := shown(t, ui.Options{})
	d.drop(fyne.NewPos(600, 200), all...)
	d.sees("note9.txt")
	d.until("the rest is refused", func() bool { return d.Says("essage can have 10 files at most") })
}

// A message waits until its files have been read.
func TestAMessageWaitsForItsFile(t *testing.T) {
	m := &reader{}
	gate := make(chan struct{})
	data := photo(t)
	d := shown(t, ui.Options{Agent: ui.AgentOptions{NewSession: sessions(m.answer)}, Desktop: ui.DesktopOptions{Clipboard: func(ctx context.Context) ([]byte, []string, error) {
		select {
		case <-gate:
		case <-ctx.Done():
		}
		return data, nil, nil
	}}})
	d.FocusField(composer)
	d.Type("what is it?")
	d.Paste("")
	d.Key(fyne.KeyReturn)
	if d.busy() || d.draft() != "what is it?" {
		t.Fatalf("the message went without its picture, and the composer holds %q", d.draft())
	}
	close(gate)
	d.sees("seen")
	d.idle()
	if got := m.last()[0].Parts; len(got) != 2 || got[0].InlineData == nil || got[1].Text != "what is it?" || d.draft() != "" {
		t.Errorf("the model reads %+v, and the composer holds %q", got, d.draft())
	}
}

// Pasted content goes into the conversation in which the user pasted it.
func TestPastedTextStaysInItsConversation(t *testing.T) {
	s, _ := archive(t)
	gate := make(chan struct{})
	l := &listener{}
	d := shown(t, ui.Options{History: s, Agent: ui.AgentOptions{NewSession: sessions(l.answer)}, Desktop: ui.DesktopOptions{Clipboard: func(ctx context.Context) ([]byte, []string, error) {
		select {
		case <-gate:
		case <-ctx.Done():
		}
		return nil, nil, nil
	}}})
	d.says("first")
	d.write("see ")
	d.Paste("/etc/hosts")
	d.newChat()
	d.write("other")
	close(gate)
	rounds := 0
	d.until("what was posted has run", func() bool { rounds++; return rounds > 10 })
	d.Press("first")
	d.until("the path is in its conversation", func() bool { return d.draft() == "see /etc/hosts" })
	d.Press("New chat", 1)
	if d.draft() != "other" {
		t.Errorf("the other conversation holds %q", d.draft())
	}
}

// A notification contains the title that the user gave to the conversation.
func TestANotificationHasTheTitleOfTheConversation(t *testing.T) {
	s, _ := archive(t)
	release := make(chan struct{})
	notified := make(chan string, 1)
	d := shown(t, ui.Options{
		History: s,
		Desktop: ui.DesktopOptions{Notify: func(title, _ string) { notified <- title }},
		Agent: ui.AgentOptions{NewSession: sessions(func(ctx context.Context, _ []*genai.Content, yield func(string, error) bool) {
			select {
			case <-release:
				yield("Done.", nil)
			case <-ctx.Done():
			}
		})},
	})
	d.send("how much do I owe?")
	d.until("the conversation is saved", func() bool { return slices.Contains(d.sidebar(), "how much do I owe?") && d.busy() })
	d.until("it can be renamed", func() bool {
		d.run("Rename the conversation…")
		return d.HasField("A title")
	})
	d.Enter("A title", "Taxes")
	d.Key(fyne.KeyReturn)
	d.until("it is renamed", func() bool { return d.title() == "Taxes" })
	d.newChat()
	d.window.Toggle()
	d.clock = d.clock.Add(11 * time.Second)
	close(release)
	d.until("the turn ends", d.window.Settled)
	if got := waittest.Receive(t, "a notification", notified); got != "Taxes" {
		t.Errorf("the notification says %q", got)
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
