package transcript

import (
	"fmt"
	"strings"
	"testing"

	"goated/agent"
	"goated/ui/view"
)

// long is a message of 400 lines.
func long() string {
	lines := make([]string, 400)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d of the log", i)
	}
	return strings.Join(lines, "\n")
}

// A long message shows its beginning and a button. An opened message stays open while it is not
// visible, and it can be folded again.
func TestLongMessageFolds(t *testing.T) {
	d := newDesk(t)
	d.show(view.Chat{}.Say(long()).Apply(agent.TextDelta{Text: strings.Repeat("A paragraph.\n\n", 200)}), false)
	d.toTop()
	folded := d.page.View.Heights.Each[0]
	if folded > 400 || !d.Says("line 3 of the log") || d.Says("line 30 of the log") {
		t.Fatalf("the message is %v high and says %q", folded, d.Texts())
	}
	d.Press("Show more")
	open := d.page.View.Heights.Each[0]
	if open < 400*20 {
		t.Errorf("the open message is only %v high", open)
	}
	d.toEnd()
	d.toTop()
	if got := d.page.View.Heights.Each[0]; got != open {
		t.Errorf("out of sight the open message went from %v to %v", open, got)
	}
	d.scroll(-(open - 500))
	if d.page.View.Scroll.Scroll.Offset.Y < open/2 {
		t.Fatal("the beginning is still in sight")
	}
	d.Press("Show less")
	if got, top := d.page.View.Heights.Each[0], d.page.View.Scroll.Scroll.Offset.Y; got != folded || top > 40 {
		t.Errorf("folded again, it is %v high, not %v, and the visible part begins at %v", got, folded, top)
	}
}

// A message that waits folds too. A short message has no button.
func TestFoldsOfOtherMessages(t *testing.T) {
	d := newDesk(t)
	d.show(view.NewChat([]view.Item{view.User{Text: "short"}, view.Queued{ID: 1, Text: "brief"}}, view.Spent{}), true)
	if d.Says("Show more") {
		t.Error("a short message has a button")
	}
	d.show(view.NewChat([]view.Item{view.User{Text: "short"}, view.Queued{ID: 1, Text: long()}}, view.Spent{}), true)
	if d.page.View.Tall() > 600 || !d.Says("Show more") {
		t.Errorf("with a long message that waits the conversation is %v high", d.page.View.Tall())
	}
}

// A message that waits moves to another row when the model calls a tool. The state belonged to
// the row, so the message folded and the item that took its row unfolded. Enter opens a message
// too.
func TestAnOpenMessageStaysOpenInAnotherRow(t *testing.T) {
	d := newDesk(t)
	first, second := view.Queued{ID: 1, Text: long()}, view.Queued{ID: 2, Text: long() + "\nand another"}
	show := func(items ...view.Item) { d.show(view.NewChat(items, view.Spent{}), true) }
	show(view.User{Text: "short"}, first, second)
	d.Press("Show more")
	show(view.User{Text: "short"}, view.Answer{Text: "So."}, first, second)
	d.toTop()
	if !d.Says("Show less") {
		t.Error("it folds in another row")
	}
	show(view.User{Text: "short"}, second)
	if d.Says("Show less") || !d.Says("Show more") {
		t.Error("what took its row is open")
	}
	d.page.Keyboard.unfold(1)
	if !d.Says("Show less") {
		t.Error("Enter does not open a message that waits")
	}
}

// Find opens a long message whose match is folded away. Copying a folded message copies all of
// it.
func TestFindOpensAFoldedMessage(t *testing.T) {
	d := newDesk(t)
	d.show(view.Chat{}.Say(long()).Apply(agent.TextDelta{Text: "Done."}), false)
	d.page.Find.Open()
	d.Type("line 2 of")
	if !d.Says("Show more") {
		t.Error("a match in the shown part opens the message")
	}
	d.page.copySource(0)
	if d.Copied != long() {
		t.Errorf("the copy has %d bytes of %d", len(d.Copied), len(long()))
	}
	d.page.Find.Close()
	d.page.Find.Open()
	d.Type("line 333 of")
	if !d.Says("line 333 of the log") {
		t.Errorf("the match is not shown: %q", d.Texts())
	}
}
