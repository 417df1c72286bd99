package ui

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent"
	"goated/registry"
	"goated/ui/view"
)

// A script is a model that does as a test says.
type script func(ctx context.Context, history []*genai.Content, yield func(string, error) bool)

func (s script) Generate(ctx context.Context, history []*genai.Content, _ *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		on := true
		s(ctx, history, func(text string, err error) bool {
			if !on {
				return false
			}
			if err != nil {
				on = yield(nil, err)
				return on
			}
			on = yield(&genai.GenerateContentResponse{Candidates: []*genai.Candidate{{
				Content: genai.NewContentFromText(text, genai.RoleModel), FinishReason: genai.FinishReasonStop,
			}}, ModelVersion: "gemini-2.5-flash", UsageMetadata: &genai.GenerateContentResponseUsageMetadata{PromptTokenCount: 900, CandidatesTokenCount: 100}}, nil)
			return on
		})
	}
}

// echo says back what was said last.
func echo(_ context.Context, history []*genai.Content, yield func(string, error) bool) {
	last := history[len(history)-1]
	yield("You said: "+last.Parts[len(last.Parts)-1].Text, nil)
}

func sessions(m agent.Model) func() *agent.Session {
	return func() *agent.Session { return &agent.Session{Model: m, Tools: toolless{}} }
}

func (d *desk) idle() bool { return !d.conversation().running() }

func press(f fyne.Focusable, key fyne.KeyName) { f.TypedKey(&fyne.KeyEvent{Name: key}) }

func TestEnterSendsAndShiftEnterBreaks(t *testing.T) {
	// The answer waits until it was looked whether the turn runs: a quick one may
	// be over before that.
	seen := make(chan struct{})
	d := newDesk(t, Options{NewSession: sessions(script(func(ctx context.Context, history []*genai.Content, yield func(string, error) bool) {
		select {
		case <-seen:
			echo(ctx, history, yield)
		case <-ctx.Done():
			yield("", ctx.Err())
		}
	}))})
	d.show()
	in := d.composer.input
	test.Type(in, "one")
	in.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	press(in, fyne.KeyReturn)
	in.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	test.Type(in, "two")
	if in.Text != "one\ntwo" {
		t.Fatalf("the composer holds %q", in.Text)
	}
	if d.composer.rows != 2 {
		t.Errorf("the composer shows %d rows, not 2", d.composer.rows)
	}
	press(in, fyne.KeyReturn)
	if in.Text != "" || d.idle() {
		t.Fatal("Enter did not send")
	}
	close(seen)
	d.until("the answer is there", d.idle)
	if !d.reads("You said: one two") {
		t.Error("the answer is not shown")
	}
	if got := d.title.text; got != "one two" {
		t.Errorf("the title is %q", got)
	}
	press(in, fyne.KeyReturn)
	if !d.idle() {
		t.Error("Enter sent an empty message")
	}
}

func TestEscapeStopsTheTurn(t *testing.T) {
	d := newDesk(t, Options{NewSession: sessions(script(func(ctx context.Context, _ []*genai.Content, yield func(string, error) bool) {
		yield("Once upon a time", nil)
		<-ctx.Done()
		yield("", ctx.Err())
	}))})
	d.show()
	d.send("Tell me a story")
	d.until("the answer begins", func() bool { return d.reads("Once upon a time") })
	if d.composer.send.icon != "stop" {
		t.Error("there is no button to stop")
	}
	press(d.composer.input, fyne.KeyEscape)
	d.until("the turn ends", d.idle)
	if !d.reads("You stopped this turn.") {
		t.Error("nothing says that the turn was stopped")
	}
	if d.composer.send.icon != "up" {
		t.Error("the button to send is not back")
	}
}

func TestFailureCanBeRetried(t *testing.T) {
	var calls atomic.Int32
	d := newDesk(t, Options{NewSession: sessions(script(func(ctx context.Context, h []*genai.Content, yield func(string, error) bool) {
		if calls.Add(1) == 1 {
			yield("", errBoom)
			return
		}
		yield(fmt.Sprintf("I have %d message", len(h)), nil)
	}))})
	d.show()
	d.send("hello")
	d.until("the failure is shown", d.idle)
	if !d.reads("The model can't be reached: connection refused.") {
		t.Error("the failure is not shown as a sentence")
	}
	test.Tap(d.button("Retry"))
	d.until("the retry is through", d.idle)
	if !d.reads("I have 1 message") {
		t.Error("the retry did not go on from the history")
	}
	if _, ok := find(d, func(b *button) bool { return b.text == "Retry" }); ok {
		t.Error("the failure is still there")
	}
}

func TestTurnGoesOnBehindAnotherConversation(t *testing.T) {
	release := make(chan struct{})
	d := newDesk(t, Options{NewSession: sessions(script(func(ctx context.Context, h []*genai.Content, yield func(string, error) bool) {
		select {
		case <-release:
		case <-ctx.Done():
		}
		yield("late answer", nil)
	}))})
	d.show()
	d.send("first")
	d.newChat()
	if d.current != 1 || d.reads("first") && d.title.text == "first" {
		t.Fatal("the new conversation is not shown")
	}
	test.Type(d.composer.input, "a draft")
	close(release)
	d.until("the first turn is done", func() bool { return !d.chats[0].running() })
	if d.reads("late answer") {
		t.Error("the answer is shown in the wrong conversation")
	}
	d.choose(0)
	if !d.reads("late answer") {
		t.Error("the answer is lost")
	}
	d.choose(1)
	if d.composer.input.Text != "a draft" {
		t.Error("the draft is lost")
	}
}

func TestCloseEndsTurns(t *testing.T) {
	d := newDesk(t, Options{NewSession: sessions(script(func(ctx context.Context, _ []*genai.Content, yield func(string, error) bool) {
		<-ctx.Done()
		yield("", ctx.Err())
	}))})
	d.show()
	d.send("wait for ever")
	d.Close() // hangs if a goroutine is left
	d.Close()
}

func TestExampleFillsTheComposer(t *testing.T) {
	d := newDesk(t, Options{})
	h, ok := find(d, func(h *hotspot) bool { return h.radius == 12 })
	if !ok {
		t.Fatal("there are no examples")
	}
	test.Tap(h)
	if d.composer.input.Text != "List the files in ." {
		t.Errorf("the composer holds %q", d.composer.input.Text)
	}
	if !d.idle() {
		t.Error("an example was sent without asking")
	}
}

func TestHugePasteIsRefused(t *testing.T) {
	d := newDesk(t, Options{})
	clip := d.app.Clipboard()
	clip.SetContent(strings.Repeat("x", maxPaste+1))
	d.composer.input.OnLarge = nil // which would take it
	d.composer.input.OnRefuse = func(s string) { d.toasts.say("alert", s) }
	d.composer.input.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clip})
	if d.composer.input.Text != "" {
		t.Error("it was pasted")
	}
	if !d.reads("That is more than 64 kB. Save it to a file and name the file instead.") {
		t.Error("nothing says why not")
	}
	clip.SetContent("small")
	d.composer.input.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clip})
	if d.composer.input.Text != "small" {
		t.Errorf("the composer holds %q", d.composer.input.Text)
	}
}

func TestNewChatShortcutReachesTheWindow(t *testing.T) {
	d := newDesk(t, Options{NewSession: sessions(script(echo))})
	d.show()
	d.send("hello")
	d.until("the answer is there", d.idle)
	d.composer.input.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyN, Modifier: fyne.KeyModifierShortcutDefault})
	if len(d.chats) != 2 {
		t.Skip("the test driver's canvas takes no shortcuts")
	}
}

func TestCardOpensAndCopiesAll(t *testing.T) {
	d := newDesk(t, Options{})
	var long strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&long, "line %d\n", i)
	}
	chat := view.Chat{}.Say("read").
		Apply(agent.ToolCalled{ID: "1", Server: "files", Tool: "read", Args: map[string]any{"path": "big.txt"}}).
		Apply(agent.ToolDecided{ID: "1", Decision: agent.AllowOnce})
	d.chats[0].chat = chat
	d.refresh()
	c := d.transcript.rows[1].block.(*card)
	if c.spin.beat == nil {
		t.Error("a running card does not turn")
	}
	item := c.item
	item.Status, item.Result = view.Complete, long.String()
	d.chats[0].chat.Items[1] = item
	d.refresh()
	if c.spin.beat != nil {
		t.Error("a complete card still turns")
	}
	if d.reads("Result") {
		t.Error("the card is not closed at first")
	}
	d.beats(10)
	c.toggle()
	if !d.reads("Result") || !d.reads("Arguments") {
		t.Fatal("the card does not open")
	}
	note, ok := find(d, func(p *prose) bool {
		return strings.HasPrefix(plainText(p.spans), "Showing the first 200 of 1001 lines")
	})
	if !ok {
		t.Error("the card does not say that it shows a part only")
	} else if !strings.Contains(plainText(note.spans), "Copy takes all") {
		t.Error("nothing says how to get the rest")
	}
	n := 0
	find(d, func(b *button) bool {
		if b.text == "Copy" {
			if n++; n == 2 {
				b.OnTapped()
			}
		}
		return false
	})
	if got := d.app.Clipboard().Content(); got != long.String() {
		t.Errorf("%d bytes were copied, not %d", len(got), long.Len())
	}
	if !d.reads("Copied") {
		t.Error("nothing says that it was copied")
	}
	c.toggle()
	if d.reads("Result") {
		t.Error("the card does not close")
	}
}

func TestTranscriptSticksOnlyWhileAtTheBottom(t *testing.T) {
	d := newDesk(t, Options{})
	text := strings.Repeat("word\n\n", 80)
	d.chats[0].chat = view.Chat{}.Say("go").Apply(agent.TextDelta{Text: text})
	d.refresh()
	s := d.transcript.scroll
	if !s.atBottom() {
		t.Fatal("a long answer does not scroll to its end")
	}
	grow := func() {
		d.chats[0].chat = d.chats[0].chat.Apply(agent.TextDelta{Text: text})
		d.refresh()
	}
	grow()
	if !s.atBottom() {
		t.Error("the transcript does not follow the answer")
	}
	s.scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 500)})
	at := s.scroll.Offset.Y
	grow()
	if s.scroll.Offset.Y != at {
		t.Errorf("the text moved away under the reader, from %v to %v", at, s.scroll.Offset.Y)
	}
}

type toolless struct{}

func (toolless) Tools() iter.Seq[registry.Entry] { return func(func(registry.Entry) bool) {} }

func (toolless) Lookup(name string) (registry.Entry, error) {
	return registry.Entry{}, fmt.Errorf("there is no tool %s", name)
}

func (toolless) Call(context.Context, string, map[string]any, func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	return nil, errBoom
}
