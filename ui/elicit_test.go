package ui_test

import (
	"context"
	"errors"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/client"
	"goated/internal/waittest"
	"goated/servers/pause/dialog"
	"goated/ui"
	"goated/ui/view"
)

// callUnderWay shows a conversation in which a call of a server is running.
func (d *desk) callUnderWay(server, tool string) {
	d.window.ShowChat(view.Chat{}.Say("go").Apply(agent.ToolCalled{ID: "call-1", Server: server, Tool: tool}).Apply(agent.ToolDecided{ID: "call-1", Decision: agent.AllowOnce}), true)
}

// elicit asks like a server. The result arrives on the returned channel.
func (d *desk) elicit(from client.Asker, p *mcp.ElicitParams) <-chan *mcp.ElicitResult {
	got := make(chan *mcp.ElicitResult, 1)
	ctx := background(d.T)
	go func() {
		r, err := d.dialogs.Elicit(ctx, from, p)
		if err != nil && ctx.Err() == nil {
			d.T.Error(err)
		}
		got <- r
	}()
	return got
}

// A server that asks during a call asks in the conversation of that call. Esc and Ctrl+Enter
// answer, and the composer keeps the focus. Nothing is animated in the meantime.
func TestServerAsksInTheConversationOfItsCall(t *testing.T) {
	for _, accept := range []bool{true, false} {
		d := shown(t, ui.Options{})
		d.callUnderWay("fast", "ask")
		got := d.elicit(client.Asker{ID: "fast", Name: "fast", Start: "/srv/fast.py"}, &mcp.ElicitParams{
			Message:         "Which colour?",
			RequestedSchema: schema(t, `{"type":"object","properties":{"colour":{"type":"string","default":"sage"}}}`),
		})
		d.sees("“Which colour?”")
		if !d.Reads("fast asks you") || !d.Reads("/srv/fast.py") || d.Layers() > 0 {
			t.Errorf("the card does not say who asks what: %q", d.Texts())
		}
		if d.Spinners() > 0 || !d.Reads("Waiting") {
			t.Error("the call looks as if it worked while it waits for the user")
		}
		if !d.FieldFocused(composer) {
			t.Errorf("the focus is on %q", d.Focus())
		}
		d.later()
		want := "decline"
		if accept {
			want = "accept"
			d.Ctrl(fyne.KeyReturn)
		} else {
			d.Key(fyne.KeyEscape)
		}
		r := waittest.Receive(t, "the answer", got)
		if r.Action != want || accept && r.Content["colour"] != "sage" || d.Reads("“Which colour?”") {
			t.Errorf("the answer is %+v", r)
		}
		if d.Spinners() == 0 || !d.Reads("Running") {
			t.Error("the call does not go on after the answer")
		}
	}
}

// An endsWhenAsked context ends right after someone has checked whether it has ended. The
// window checks this just before it opens a question.
type endsWhenAsked struct {
	context.Context
	end context.CancelFunc
}

func (c endsWhenAsked) Err() error {
	defer c.end()
	return c.Context.Err()
}

// A question does not stay open if its server gives up at the moment when it appears, because
// nobody would receive its answer. It used to stay open forever.
func TestQuestionOfAServerThatGivesUpAtOnceGoes(t *testing.T) {
	d := shown(t, ui.Options{})
	d.callUnderWay("fast", "ask")
	for range 20 { // the asking goroutine may not wait yet
		ctx, giveUp := context.WithCancel(t.Context())
		late := endsWhenAsked{ctx, giveUp}
		ended := make(chan bool)
		go func() {
			defer close(ended)
			_, _ = d.dialogs.Elicit(late, client.Asker{ID: "fast", Name: "fast", Start: "/srv/fast.py"}, &mcp.ElicitParams{
				Message: "Which colour?", RequestedSchema: schema(t, `{"type":"object","properties":{"colour":{"type":"string"}}}`)})
		}()
		d.until("the server gives up", func() bool {
			select {
			case <-ended:
				return true
			default:
				return false
			}
		})
		d.until("the question goes", func() bool { return !d.Says("Which colour?") })
	}
}

// Neither a single Esc nor a repeated key loses what the user entered into a server's form,
// wherever the focus is. The first Esc shows a warning, and typing removes it.
func TestOneEscapeKeepsWhatTheUserEntered(t *testing.T) {
	const warning = "Press Esc again to close this form. What you entered is lost then."
	ask := &mcp.ElicitParams{Message: "Which colour?", RequestedSchema: schema(t, `{"type":"object","properties":{"colour":{"type":"string","title":"Colour"}}}`)}
	for name, inCall := range map[string]bool{"in the conversation": true, "on a sheet": false} {
		t.Run(name, func(t *testing.T) {
			d := shown(t, ui.Options{})
			if inCall {
				d.callUnderWay("fast", "ask")
			}
			got := d.elicit(client.Asker{ID: "fast", Name: "fast", Start: "/srv/fast.py"}, ask)
			d.sees("“Which colour?”")
			d.later()
			d.Enter("Colour", "sage")
			d.Key(fyne.KeyEscape)
			d.Key(fyne.KeyEscape)
			if !d.Reads("“Which colour?”") || !d.Reads(warning) || d.Field("Colour") != "sage" {
				t.Fatalf("Esc does not keep the form: %q", d.Texts())
			}
			d.Enter("Colour", "teal")
			if d.Reads(warning) {
				t.Error("the warning stays while the user types")
			}
			if inCall {
				d.FocusField(composer)
			}
			d.Key(fyne.KeyEscape)
			if !d.Reads(warning) || inCall && !d.Reads("Ctrl+Enter submits · Esc again declines") {
				t.Errorf("nothing says what Esc does: %q", d.Texts())
			}
			d.later()
			d.Key(fyne.KeyEscape)
			if r := waittest.Receive(t, "the answer", got); r.Action == "accept" {
				t.Errorf("the second Esc answers %+v", r)
			}
			d.until("the form is gone", func() bool { return !d.Reads("“Which colour?”") })
		})
	}
}

// A server's form that is higher than the window starts at its top, with the asking server, the
// question and the first field. Its title and its buttons stay visible. A field scrolls into
// view with its label.
func TestLongFormOfAServerBeginsAtItsTop(t *testing.T) {
	d := shown(t, ui.Options{})
	d.callUnderWay("fast", "ask")
	var members, required string
	for _, n := range []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"} {
		members += `,"` + n + `":{"type":"string","title":"Part ` + n + `","description":"What ` + n + ` is."}`
		required += `,"` + n + `"`
	}
	d.elicit(client.Asker{ID: "fast", Name: "fast", Start: "/srv/fast.py"}, &mcp.ElicitParams{Message: "Which parts?",
		RequestedSchema: schema(t, `{"type":"object","required":[`+required[1:]+`],"properties":{`+members[1:]+`}}`)})
	d.sees("fast asks you")
	visible := func(text string) bool { _, _, seen := d.Place(text); return seen }
	for _, text := range []string{"fast asks you", "“Which parts?”", "Part one", "Submit"} {
		if !visible(text) {
			t.Errorf("the form opens without %q: %q", text, d.Texts())
		}
	}
	d.later()
	d.FocusField("Part twelve")
	for _, text := range []string{"fast asks you", "Part twelve", "Submit"} {
		if !visible(text) {
			t.Errorf("at the last field, %q is out of sight", text)
		}
	}
	d.Press("Submit")
	if !visible("Part one") || !visible("This is required. Press the button again to send it empty.") || visible("Part twelve") {
		t.Errorf("the first wrong field does not come into sight with its label: %q", d.Texts())
	}
	d.FocusField("Part nine")
	d.FocusField("Part two")
	if !visible("Part two") {
		t.Error("a field comes into sight without its label")
	}
}

// whichPart is the question that planning asks.
const whichPart = "Which part should come first?"

// planning asks the question of a planner like goated's own pause server, during a call of the
// shown conversation.
func (d *desk) planning() <-chan *mcp.ElicitResult {
	d.T.Helper()
	d.callUnderWay("pause", "planner")
	got := d.elicit(client.Asker{ID: "pause", Name: "pause", Start: "goated pause"}, &mcp.ElicitParams{
		Message: "Which part?",
		Meta: mcp.Meta{client.DialogExtension: map[string]any{"kind": "planner", "question": map[string]any{
			"decision_context": whichPart, "plan": "1. store\n2. screens",
			"options": []any{map[string]any{"label": "Store first", "value": "store"}, map[string]any{"label": "Screens first", "value": "screens"}},
		}}},
	})
	d.sees(whichPart)
	return got
}

// A dialog of goated's own pause server appears in the conversation of its call, never on a
// sheet above it. It receives the keys while the composer is empty.
func TestDialogStandsInTheConversationOfItsCall(t *testing.T) {
	d := shown(t, ui.Options{})
	got := d.planning()
	if !d.Reads("Planner · The model of this conversation asks") || d.Layers() > 0 {
		t.Error("the dialog is not in the conversation")
	}
	d.Key(fyne.KeyEscape)
	d.Type("2d")
	if !d.Reads(whichPart) {
		t.Fatal("a key right after the dialog appeared answers it")
	}
	d.later()
	d.Ctrl(fyne.KeyReturn)
	r := waittest.Receive(t, "the answer", got)
	a, _ := r.Meta[client.DialogExtension].(dialog.Answer)
	if r.Action != "accept" || a.Choice != "screens" || a.ThinkingMode != dialog.Deep || d.Reads(whichPart) {
		t.Errorf("the answer is %+v", r)
	}
	d.Type("thanks")
	if got := d.draft(); got != "thanks" {
		t.Errorf("after the answer, the keys go elsewhere: the composer holds %q", got)
	}
}

// A dialog never takes letters of a message that the user is writing.
func TestDialogLeavesTheComposerAlone(t *testing.T) {
	d := shown(t, ui.Options{})
	d.Type("2 things: ")
	got := d.planning()
	d.later()
	d.Type("plan, 1")
	if text := d.draft(); text != "2 things: plan, 1" || !d.Reads(whichPart) {
		t.Errorf("the composer holds %q", text)
	}
	d.Key(fyne.KeyEscape)
	if r := waittest.Receive(t, "the answer", got); r.Action != "cancel" {
		t.Errorf("Escape answers %+v", r)
	}
}

// A field of a form may have the focus when the form is answered or withdrawn. What the user
// types next goes to the composer, not to the removed field.
func TestFocusLeavesAFormThatIsGone(t *testing.T) {
	for name, end := range map[string]func(*desk, context.CancelFunc){
		"submitted":  func(d *desk, _ context.CancelFunc) { d.Ctrl(fyne.KeyReturn) },
		"with mouse": func(d *desk, _ context.CancelFunc) { d.Press("Submit") },
		"left": func(d *desk, _ context.CancelFunc) { // the second Escape discards what was typed
			d.Key(fyne.KeyEscape)
			d.later()
			d.Key(fyne.KeyEscape)
		},
		"withdrawn": func(_ *desk, withdraw context.CancelFunc) { withdraw() },
	} {
		t.Run(name, func(t *testing.T) {
			d := shown(t, ui.Options{})
			d.callUnderWay("fast", "ask")
			ctx, cancel := context.WithCancel(background(t))
			defer cancel()
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_, err := d.dialogs.Elicit(ctx, client.Asker{ID: "fast", Name: "fast", Start: "/srv/fast.py"}, &mcp.ElicitParams{
					Message: "Which colour?", RequestedSchema: schema(t, `{"type":"object","properties":{"colour":{"type":"string"}}}`)})
				if err != nil && !errors.Is(ctx.Err(), context.Canceled) {
					t.Error(err)
				}
			}()
			d.sees("“Which colour?”")
			d.later()
			d.FocusField("")
			d.Type("sage")
			end(d, cancel)
			waittest.Receive(t, "the question ends", ended)
			d.until("the form is gone", func() bool { return !d.Reads("“Which colour?”") })
			d.Type("and then")
			if got := d.draft(); got != "and then" {
				t.Errorf("the composer holds %q, and the focus is on %q", got, d.Focus())
			}
		})
	}
}
