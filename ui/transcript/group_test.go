package transcript

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/ui/view"
)

// started adds the calls of one step, which have begun.
func started(chat view.Chat, tools ...string) view.Chat {
	for _, tool := range tools {
		chat = chat.Apply(agent.ToolCalled{ID: tool, Server: "s", Tool: tool})
	}
	for _, tool := range tools {
		chat = chat.Apply(agent.ToolDecided{ID: tool, Decision: agent.AllowOnce})
	}
	return chat
}

// agentTurn is a turn with calls in many steps, and an answer.
func agentTurn(calls int) view.Chat {
	chat := view.Chat{}.Say("Do it.")
	for i := range calls {
		chat = calling(chat, fmt.Sprintf("tool%d", i), fmt.Sprintf("result %d", i))
	}
	return chat.Apply(agent.TextDelta{Text: "It is done."}).Apply(agent.TurnEnded{Reason: agent.Done})
}

// A turn with many calls was a wall of cards, and the answer was screens below the question.
func TestFinishedCallsAreOneLine(t *testing.T) {
	d := newDesk(t)
	d.show(agentTurn(30), false)
	if !d.Reads("30 calls") || !d.Says("tool0, tool1") || d.Reads("tool3") || !d.Reads("It is done.") || d.page.View.Tall() > 300 {
		t.Fatalf("the conversation is %v high and says %q", d.page.View.Tall(), d.Texts())
	}
	line, _, _ := d.Place("30 calls")
	d.Press("30 calls")
	if at, _, _ := d.Place("30 calls"); !d.Reads("tool3") || at != line {
		t.Fatalf("a press opens it: %v, and moves its line from %v to %v", d.Reads("tool3"), line, at)
	}
	d.Press("tool3")
	if !d.Reads("result 3") {
		t.Error("a card in an open group does not open")
	}
	d.Press("30 calls")
	if d.Reads("tool3") || !d.Reads("It is done.") {
		t.Error("a second press does not close it")
	}
	d.show(agentTurn(1), false)
	if d.Says("1 calls") || !d.Reads("tool0") {
		t.Errorf("a single call is no card: %q", d.Texts())
	}
}

// A card must not disappear under the pointer, so the calls of a step remain visible until the
// last of them ends. Calls that wait, run or have failed are always visible, and so are cards
// that the user has opened.
func TestGroupsOfARunningTurn(t *testing.T) {
	d := newDesk(t)
	shows := func(when string, chat view.Chat, want ...string) {
		t.Helper()
		d.show(chat, true)
		var have []string
		for _, text := range d.Texts() {
			if strings.HasSuffix(text, " calls") || len(text) == 1 && text != "s" {
				have = append(have, text)
			}
		}
		if strings.Join(have, " ") != strings.Join(want, " ") {
			t.Errorf("%s: the window shows %q, want %q", when, have, want)
		}
	}
	chat := started(view.Chat{}.Say("Go."), "a", "b")
	shows("two calls run", chat, "a", "b")
	returns := func(tool string) view.Chat { return chat.Apply(agent.ToolReturned{ID: tool}) }
	chat = returns("a")
	shows("one has ended", chat, "a", "b")
	chat = returns("b")
	shows("both have ended", chat, "2 calls")
	chat = started(chat.Apply(agent.ThoughtDelta{Text: "hm"}), "c", "d")
	shows("the next step runs", chat, "2 calls", "c", "d")
	chat = returns("c")
	d.Press("c") // the user reads its result
	chat = chat.Apply(agent.ToolReturned{ID: "d", Error: "no"})
	shows("one of them failed", chat, "3 calls", "a", "b", "c", "d")
	d.Press("3 calls")
	shows("the user closed the group", chat, "3 calls", "d")
	chat = chat.Apply(agent.ToolCalled{ID: "e", Tool: "e"})
	shows("a call waits", chat, "3 calls", "d", "e")
}

// Tab focused a card that its group then covered, and keys had no effect.
func TestGroupTakesTheFocusOfItsCard(t *testing.T) {
	d := newDesk(t)
	chat := started(view.Chat{}.Say("Go."), "a", "b").Apply(agent.ToolReturned{ID: "a"})
	d.show(chat, true)
	d.page.Keyboard.pick(1, false)
	d.Key(fyne.KeyTab) // the head of the first card
	d.show(chat.Apply(agent.ToolReturned{ID: "b"}), true)
	d.Key(fyne.KeySpace)
	if !d.Reads("a") || !d.Reads("2 calls") {
		t.Errorf("Space does not open the group: %q", d.Texts())
	}
}

// A search, or a press on a hit in the history, opened a card that its group still hid.
func TestFindOpensTheGroup(t *testing.T) {
	d := newDesk(t)
	chat := agentTurn(20)
	d.show(chat, false)
	d.page.Find.Open()
	d.Type("result 13")
	if !d.Reads("1 of 1") || !d.Reads("result 13") {
		t.Fatalf("the hit is not in sight: %q", d.Texts())
	}
	if at, size, seen := d.Place("result 13"); !seen || at.Y < 48 || at.Y+size.Height > 700 {
		t.Errorf("the hit is at %v", at)
	}
	d.page.Find.Close()
	d.page.Reset()
	d.show(chat, false)
	d.page.Flashes.Show(0, chat.Len(), []string{"result 17"})
	if !d.Reads("result 17") {
		t.Errorf("a hit of the history is not in sight: %q", d.Texts())
	}
}

// The keyboard reaches the line of a group, and its cards while the group is open. A copy
// contains all calls.
func TestGroupByKeys(t *testing.T) {
	d := newDesk(t)
	d.show(agentTurn(3), false)
	d.page.Keyboard.Choose(-1) // the answer
	d.Key(fyne.KeyUp)
	d.Key(fyne.KeyC)
	for i := range 3 {
		if !strings.Contains(d.Copied, fmt.Sprintf("result %d", i)) {
			t.Errorf("the copy of the line has no result %d: %q", i, d.Copied)
		}
	}
	d.Key(fyne.KeyReturn)
	if !d.Reads("tool1") {
		t.Fatal("Enter does not open the group")
	}
	d.Key(fyne.KeyDown)
	d.Key(fyne.KeyDown)
	d.Key(fyne.KeyReturn)
	if d.Count("No arguments.") != 1 || d.After("No arguments.") != "Result" || !d.Reads("result 1") || d.Count("Copy") != 1 {
		t.Errorf("the second card is not open: %q", d.Texts())
	}
	d.Key(fyne.KeyUp)
	d.Key(fyne.KeyUp)
	d.Key(fyne.KeyReturn)
	if d.Reads("tool1") {
		t.Error("Enter on the line does not close the group")
	}
	d.Key(fyne.KeyUp)
	if c := d.page.Keyboard.Chosen; c != 1 {
		t.Errorf("Up from the line chooses message %d", c)
	}
	d.page.Selection.All()
	if text := d.page.Selection.Text(); !strings.Contains(text, "result 1") || !strings.Contains(text, "It is done.") {
		t.Errorf("the selection is %q", text)
	}
}

// The line represents all of its calls: a selection that reaches the line includes the last of
// them.
func TestSelectionOverAGroup(t *testing.T) {
	d := newDesk(t)
	d.show(agentTurn(3), false)
	line, _, _ := d.Place("3 calls")
	question, _, _ := d.Place("Do it.")
	answer, _, _ := d.Place("It is done.")
	for _, c := range []struct {
		from, to fyne.Position
		want     []string
	}{
		{line, answer, []string{"result 0", "result 2", "\n\nI"}}, {answer, line, []string{"result 0", "result 2", "\n\nI"}},
		{line, question, []string{"result 0", "result 2"}}, {question, line, []string{"result 0", "result 2"}},
	} {
		d.Drag(c.from.AddXY(2, 8), c.to.AddXY(40, 8))
		for _, want := range c.want {
			if text := d.page.Selection.Text(); !strings.Contains(text, want) {
				t.Errorf("from %v to %v, %q is not in the selection %q", c.from, c.to, want, text)
			}
		}
	}
}

// In a long conversation, the line that the user reads stays in place while calls above it
// collapse into one line.
func TestGroupsKeepThePlace(t *testing.T) {
	d := newDesk(t)
	chat := view.Chat{}.Say("Go.")
	for i := range 8 {
		chat = started(chat, fmt.Sprint("early", i)).Apply(agent.ToolReturned{ID: fmt.Sprint("early", i), Error: "no"})
	}
	chat = started(chat, "a", "b", "c", "d", "e", "last")
	for _, tool := range []string{"a", "b", "c", "d", "e"} {
		chat = chat.Apply(agent.ToolReturned{ID: tool})
	}
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, "Paragraph %d.\n\n", i)
	}
	d.show(chat.Apply(agent.TextDelta{Text: text.String()}), true)
	d.scroll(400)
	at, _, seen := d.Place("Paragraph 15.")
	top := d.page.View.Scroll.Scroll.Offset.Y
	tall := d.page.View.Tall()
	d.show(chat.Apply(agent.TextDelta{Text: text.String()}).Apply(agent.ToolReturned{ID: "last"}), true)
	less := tall - d.page.View.Tall()
	if now, _, _ := d.Place("Paragraph 15."); !seen || less < 200 || now.Subtract(at).Y > 0.1 || now.Subtract(at).Y < -0.1 {
		t.Errorf("the text moved from %v to %v, the visible part from %v to %v, while %v went away", at, now, top, d.page.View.Scroll.Scroll.Offset.Y, less)
	}
}

// A group has the right height in an enlarged or narrow window, and a scroll position within it
// survives.
func TestHeightsOfGroups(t *testing.T) {
	d := newDesk(t)
	d.show(agentTurn(200), false)
	closed := d.page.View.Tall()
	d.page.View.Enlarge(4)
	d.Window.Resize(fyne.NewSize(500, 400))
	if got := d.page.View.Heights.Each[1]; got != headHeight+rowGap || d.page.View.Heights.Each[2] != 0 {
		t.Errorf("the line of the group is %v high", got)
	}
	d.Press("200 calls")
	d.toEnd()
	d.toTop()
	open := d.page.View.Tall()
	if open < closed+200*headHeight {
		t.Errorf("the open group is only %v high", open)
	}
	d.scroll(-5000)
	pos := d.page.View.ScrollPos()
	d.page.View.SetScrollPos(pos)
	if now := d.page.View.ScrollPos(); now != pos {
		t.Errorf("the position %s becomes %s", pos, now)
	}
	d.toTop()
	d.Press("200 calls")
	if d.page.View.Tall() > closed+200 {
		t.Errorf("closed again, the conversation is %v high, not %v", d.page.View.Tall(), closed)
	}
	d.show(view.Chat{}.Say("Do it."), false)
	if got := d.page.View.Heights.Len(); got != 1 {
		t.Errorf("%d rows are left", got)
	}
}
