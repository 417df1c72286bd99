package ui_test

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/internal/waittest"
	"goated/ui"
	"goated/ui/view"
)

// findField is the hint of the field that searches the conversation.
const findField = "Find in this conversation"

func TestFindGoesThroughTheConversation(t *testing.T) {
	d := newDesk(t, ui.Options{})
	chat := view.Chat{}
	for i := range 400 {
		text := "Nothing of interest in this one."
		if i == 3 || i == 150 || i == 399 {
			text = "First.\n\nHere is a **Need**le in the hay."
		}
		chat = chat.Apply(agent.TextDelta{Text: text}).Say("next")
	}
	d.show(chat)
	d.Ctrl(fyne.KeyF)
	d.Type("NEEDLE IN")
	d.until("the bar counts the places", func() bool { return d.Reads("3 of 3") })
	const hit = "Here is a Needle in the hay."
	for _, says := range []string{"1 of 3", "2 of 3", "3 of 3", "1 of 3"} {
		d.PressIcon("chevron-down", d.Icons("chevron-down")-1) // the last one belongs to the search bar
		if !d.Reads(says) {
			t.Errorf("the bar does not say %q", says)
		}
		at, _, seen := d.Place(hit)
		if !seen || at.Y < 56 || at.Y > 700 {
			t.Errorf("%s is at %v, out of sight", says, at)
		}
		if marks := d.Marks(at.AddXY(2, 4)); marks != 1 {
			t.Errorf("%s: %d places are marked", says, marks)
		}
	}
	d.FocusField(findField)
	d.Key(fyne.KeyEscape)
	at, _, _ := d.Place(hit)
	if d.HasField(findField) || d.Marks(at.AddXY(2, 4)) > 0 {
		t.Error("Escape does not close the search")
	}
}

// A search looks into folded parts, opens those with a match, and includes text that arrives
// later.
func TestFindOpensWhatItFinds(t *testing.T) {
	d := troubled(t)
	d.Ctrl(fyne.KeyF)
	d.Type("hidden")
	d.until("the thought is open", func() bool { return d.Reads("1 of 1") && d.Reads("A hidden thought.") })
	d.Enter(findField, "treasure")
	d.until("the card is open", func() bool { return d.Reads("1 of 1") && d.Reads("Result") && d.Reads("the treasure is here") })
	chat := troubledChat().Retract().Say("more").Apply(agent.TextDelta{Text: "Another treasure"})
	d.window.ShowChat(chat, false)
	d.until("the search counts the new place", func() bool { return d.Reads("1 of 2") })
	d.window.ShowChat(chat.Apply(agent.TextDelta{Text: ", and a treasure."}), false)
	d.until("the search counts the third place", func() bool { return d.Reads("1 of 3") })
}

func TestLinkIsShownAndAskedFor(t *testing.T) {
	d := talked(t)
	const text, address = "The end, see it (example.org).", "https://example.org/x"
	at := d.Word(text, "it").AddXY(3, 0)
	d.HoverAt(at)
	if !d.Reads(address) {
		t.Error("the window does not show the address of the link under the pointer")
	}
	d.PressAt(at, 0)
	if got := waittest.Receive(t, "the link is opened", d.opened); got != address {
		t.Errorf("%q was opened", got)
	}
	d.Drag(at, at.AddXY(-60, 0))
	if len(d.opened) > 0 {
		t.Error("selecting a link opens it")
	}
	d.Leave()
	if d.Reads(address) {
		t.Error("the address stays")
	}
}

func TestTokensAreShown(t *testing.T) {
	d := newDesk(t, ui.Options{})
	chat := view.Chat{}.Say("a").Apply(agent.TextDelta{Text: "b"}).Apply(agent.TurnEnded{Reason: agent.Done, Usage: agent.Usage{Prompt: 1200, Answer: 4}})
	d.show(chat)
	if !d.Reads("1,204 tokens") {
		t.Error("the answer does not say how many tokens it took")
	}
	d.show(chat.Say("c").Apply(agent.TextDelta{Text: "d"}).
		Apply(agent.TurnEnded{Reason: agent.Done, Usage: agent.Usage{Prompt: 800, Answer: 4, Cost: 0.0042}}))
	if !d.Reads("804 tokens · about $0.0042") {
		t.Error("the answer does not say what it cost")
	}
	d.Hover("gemini-flash-latest")
	d.beats(7)
	if !strings.HasSuffix(d.Find("This conversation used"), "This conversation used 2,008 tokens · more than $0.0042.") {
		t.Errorf("the header says %q", d.Find("This conversation used"))
	}
}

func TestThoughtsOpen(t *testing.T) {
	d := newDesk(t, ui.Options{})
	d.show(view.Chat{}.Say("a").Apply(agent.ThoughtDelta{Text: "Hm, **so**."}).Apply(agent.TextDelta{Text: "b"}))
	if d.Reads("Hm, so.") {
		t.Error("thoughts are open at first")
	}
	d.Press("Thoughts")
	if !d.Reads("Hm, so.") {
		t.Error("the thoughts do not open")
	}
}
