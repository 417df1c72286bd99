package ui_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"google.golang.org/genai"

	"goated/agent"
	"goated/ui"
	"goated/ui/internal/samplechat"
	"goated/ui/internal/samples"
	"goated/ui/view"
)

// talked returns a window with a question and an answer of several blocks.
func talked(t testing.TB) *desk {
	d := newDesk(t, ui.Options{})
	d.show(view.Chat{}.Say("the question").
		Apply(agent.TextDelta{Text: "Some **bold** words.\n\n- one `code`\n- two\n\n| a | b |\n|---|---|\n| c | d |\n\n```go\nx\t:= 1\n```\n\nThe end, see [it](https://example.org/x)."}).
		Apply(agent.TurnEnded{Reason: agent.Done}))
	return d
}

// troubled returns a window with a thought, a call and a failure.
func troubled(t testing.TB) *desk {
	d := newDesk(t, ui.Options{})
	d.show(troubledChat())
	return d
}

func troubledChat() view.Chat {
	return view.Chat{}.Say("what is it?").
		Apply(agent.ThoughtDelta{Text: "A **hidden** thought."}).
		Apply(agent.ToolCalled{ID: "1", Server: "shop", Tool: "get_order", Args: map[string]any{"id": 7}}).
		Apply(agent.ToolDecided{ID: "1", Decision: agent.AllowOnce}).
		Apply(agent.ToolReturned{ID: "1", Result: textResult("the treasure is here")}).
		Apply(agent.TextDelta{Text: "Some **bold words** here.\n\n| a | b |\n|---|---|\n| c | d |\n| e | f |"}).
		Fail(errors.New("the line broke"))
}

// show shows a chat and waits until its listings have their syntax colours.
func (d *desk) show(chat view.Chat) {
	d.T.Helper()
	d.window.ShowChat(chat, false)
	d.until("listings have their colours", d.window.Coloured)
}

// copied returns what Ctrl+C copies.
func (d *desk) copied() string {
	fyne.CurrentApp().Clipboard().SetContent("")
	d.Ctrl(fyne.KeyC)
	return d.Clipboard()
}

// copiedSource returns what the menu copies as Markdown.
func (d *desk) copiedSource(at fyne.Position) string {
	d.MenuAt(at)
	d.Press("Copy as Markdown")
	return d.Clipboard()
}

func TestSelectionGoesAcross(t *testing.T) {
	d := talked(t)
	from, to := d.Word("the question", "question"), d.WordEnd("The end, see it (example.org).", "end")
	const want = "question\n\nSome bold words.\n\n• one code\n• two\n\na\tb\nc\td\n\nx\t:= 1\n\nThe end"
	d.Drag(from, to)
	if got := d.copied(); got != want {
		t.Errorf("%q was copied, not %q", got, want)
	}
	d.Drag(to, from)
	if got := d.copied(); got != want {
		t.Errorf("backwards %q was copied", got)
	}
	d.PressAt(from, 0)
	d.PressAt(d.WordEnd("The end, see it (example.org).", "The"), fyne.KeyModifierShift)
	if got := d.copied(); !strings.HasPrefix(got, "question\n\nSome") || !strings.HasSuffix(got, "\n\nThe") {
		t.Errorf("with Shift %q was copied", got)
	}
	d.FocusField(composer)
	if got := d.copied(); got != "" {
		t.Errorf("without the focus %q is still selected", got)
	}
	for range 20 {
		d.Key(fyne.KeyTab)
		if got := d.copied(); got != "" {
			t.Errorf("Tab stops at the text, and %q is selected", got)
		}
	}
}

func TestPressesSelectWordsAndBlocks(t *testing.T) {
	d := talked(t)
	at := d.WordEnd("Some bold words.", "bol")
	d.PressAt(at, 0)
	d.PressAt(at, 0)
	if got := d.copied(); got != "bold" {
		t.Errorf("two presses select %q", got)
	}
	d.PressAt(at, 0)
	if got := d.copied(); got != "Some bold words." {
		t.Errorf("three presses select %q", got)
	}
	d.Ctrl(fyne.KeyA)
	if got := d.copied(); !strings.HasPrefix(got, "the question\n\nSome") || !strings.HasSuffix(got, "(example.org).") {
		t.Errorf("all is %q", got)
	}
}

// Dragging a selection beyond the edge scrolls until the user releases the pointer.
func TestDraggingBeyondTheEdgeScrolls(t *testing.T) {
	d := newDesk(t, ui.Options{})
	chat := view.Chat{}
	for range 60 {
		chat = chat.Say("a message").Apply(agent.TextDelta{Text: "an answer"}).Apply(agent.TurnEnded{Reason: agent.Done})
	}
	d.show(chat)
	from, beyond := fyne.NewPos(700, 400), fyne.NewPos(700, -50)
	d.DragOnto(from, beyond)
	before := d.Picture()
	d.beats(5)
	if samples.SamePicture(before, d.Picture()) {
		t.Error("the conversation does not scroll")
	}
	d.Drop(from, beyond)
	after := d.Picture()
	d.beats(5)
	if !samples.SamePicture(after, d.Picture()) {
		t.Error("the conversation scrolls on")
	}
	if got := d.copied(); strings.Count(got, "\n\n") < 2 {
		t.Errorf("only %q is selected", got)
	}
}

// A selection includes everything between its ends, even cards and failures.
func TestSelectionGoesAcrossCards(t *testing.T) {
	d := troubled(t)
	d.PressAt(d.Word("what is it?", "what"), 0)
	d.Ctrl(fyne.KeyA)
	all := d.copied()
	for _, want := range []string{"what is it?", "A hidden thought.", "get_order (shop): Complete", "\"id\": 7", "the treasure is here", "Some bold words here.", "a\tb\nc\td", "The line broke"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in %q", want, all)
		}
	}
	source := d.copiedSource(d.Word("what is it?", "is"))
	for _, want := range []string{"> A **hidden** thought.", "```json\n{\n", "```\nthe treasure is here\n```", "Some **bold words** here.", "| a | b |\n|---|---|\n| c | d |"} {
		if !strings.Contains(source, want) {
			t.Errorf("%q is not in %q", want, source)
		}
	}
	// The selection goes from the question up to the card itself.
	card, _, _ := d.Place("get_order")
	d.Drag(d.WordEnd("what is it?", "what is "), card.AddXY(150, 4))
	if got := d.copied(); !strings.HasPrefix(got, "it?\n\nA hidden thought.\n\nget_order (shop)") || !strings.HasSuffix(got, "the treasure is here") {
		t.Errorf("%q was copied", got)
	}
}

// A drag that begins on a card selects the card, wherever on the card it begins. A click there
// selects nothing, even if the hand trembles.
func TestSelectionBeginsOnACard(t *testing.T) {
	d := troubled(t)
	d.FocusField(composer)
	head, _, _ := d.Place("get_order")
	words := "Some bold words here."
	d.Drag(head, d.WordEnd(words, "bold"))
	if got := d.copied(); !strings.HasPrefix(got, "get_order (shop)") || !strings.HasSuffix(got, "the treasure is here\n\nSome bold") {
		t.Errorf("down from the head %q was copied", got)
	}
	d.Drag(head.AddXY(150, 4), d.WordEnd("what is it?", "what is "))
	if got := d.copied(); !strings.HasPrefix(got, "it?\n\nA hidden thought.\n\nget_order (shop)") || !strings.HasSuffix(got, "the treasure is here") {
		t.Errorf("up from the head %q was copied", got)
	}
	d.Drag(head, head.AddXY(40, 0))
	if got := d.copied(); !strings.HasPrefix(got, "get_order (shop)") || !strings.HasSuffix(got, "the treasure is here") {
		t.Errorf("within the head %q was copied", got)
	}
	d.Drag(d.Word(words, "Some"), d.WordEnd(words, "Some"))
	d.Drag(head, head.AddXY(2, 1))
	if got := d.copied(); strings.Contains(got, "treasure") {
		t.Errorf("a press copied %q", got)
	}
	d.Press("get_order")
	body, _, _ := d.Place("Arguments")
	d.Drag(body, d.WordEnd(words, "bold"))
	if got := d.copied(); !strings.HasPrefix(got, "get_order (shop)") || !strings.HasSuffix(got, "\n\nSome bold") {
		t.Errorf("from the open card %q was copied", got)
	}
}

// Copying as Markdown copies exactly what is selected.
func TestPartIsCopiedAsMarkdown(t *testing.T) {
	d := troubled(t)
	words := "Some bold words here."
	cells := "a\tb\nc\td\ne\tf"
	d.Drag(d.WordEnd(words, "bo"), d.WordEnd(cells, "c"))
	if got, want := d.copiedSource(d.Word(words, "words")), "**ld words** here.\n\n| a | b |\n|---|---|\n| c |  |"; got != want {
		t.Errorf("%q was copied, not %q", got, want)
	}
	d.Drag(d.Word(words, "bold"), d.WordEnd(words, "bold"))
	if got := d.copiedSource(d.Word(words, "words")); got != "**bold**" {
		t.Errorf("%q was copied", got)
	}
}

// A link that could not be opened showed nothing.
func TestAFailedLinkIsReported(t *testing.T) {
	const link = "https://example.org/a"
	model := samplechat.Model(func(_ context.Context, _ []*genai.Content, yield func(string, error) bool) { yield(link, nil) })
	d := shown(t, ui.Options{Agent: ui.AgentOptions{NewSession: sessions(model)}})
	d.openErr = errBoom
	d.send("go")
	d.sees(link)
	d.idle()
	at := d.message(link)
	d.HoverAt(at)
	d.PressAt(at, 0)
	d.until("the window says so", func() bool { return d.Says("Opening failed: ") })
}
