package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"goated/agent"
	"goated/ui/kit"
	"goated/ui/transcript"
	"goated/ui/view"
)

// long is a desk with a chat of n messages on it.
func long(t testing.TB, n int) *desk {
	d := newDesk(t, Options{})
	d.chats.Transcript.Begin = nil
	d.chats.Chats[0].Chat = longChat(n)
	d.chats.Refresh()
	return d
}

// tops are where the rows that exist are seen, by their index.
func (d *desk) tops() map[int]float32 {
	t := d.chats.Transcript
	tops := map[int]float32{}
	for i := t.View.Made[0]; i < t.View.Made[1]; i++ {
		tops[i] = t.View.Rows[i].Block.Object().Position().Y - t.View.Scroll.Scroll.Offset.Y
	}
	return tops
}

func TestOnlyWhatIsInSightExists(t *testing.T) {
	d := long(t, 2000)
	for range 3 {
		d.chats.Transcript.View.GoTo(d.chats.Transcript.View.Tall() / 2)
		toTop(d.chats.Transcript)
	}
	n := 0
	for _, r := range d.chats.Transcript.View.Rows {
		if r.Block != nil {
			n++
		}
	}
	if n > 20 || n < 2 {
		t.Errorf("%d of 2000 rows exist", n)
	}
}

// However far is scrolled, and whatever turns out to be higher than guessed: what
// was in sight has moved by what was scrolled, and rows lie under each other.
func TestScrollingKeepsThePlace(t *testing.T) {
	d := long(t, 300)
	tr := d.chats.Transcript
	for _, step := range []float32{200, 300, 37, 511, -40, 90, 250, -333, 600} {
		before := d.tops()
		offset := tr.View.Scroll.Scroll.Offset.Y
		tr.View.Scroll.Scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, step)})
		after := d.tops()
		if offset == tr.View.Scroll.Scroll.Offset.Y {
			continue
		}
		moved := 0
		for i, was := range before {
			is, ok := after[i]
			if !ok || was < 0 || was > 600 { // in sight before
				continue
			}
			moved++
			if tr.View.Stick || step < 0 && tr.View.Scroll.AtBottom() {
				continue
			}
			if d := is - was - step; d > 1 || d < -1 {
				t.Errorf("row %d moved by %v and not by %v", i, is-was, step)
			}
		}
		last := float32(0)
		for i := tr.View.Made[0]; i < tr.View.Made[1]; i++ {
			o := tr.View.Rows[i].Block.Object()
			if i > tr.View.Made[0] && o.Position().Y < last {
				t.Errorf("row %d lies on the one before", i)
			}
			last = o.Position().Y + o.Size().Height
		}
	}
}

func TestLongAnswerExistsInPart(t *testing.T) {
	d := newDesk(t, Options{})
	d.chats.Chats[0].Chat = view.NewChat([]view.Item{view.User{Text: "go"}, view.Answer{Text: newProsody(1).answer(200_000)}}, view.Spent{})
	d.chats.Refresh()
	a := d.chats.Transcript.View.Rows[1].Block.(*transcript.Answer)
	if n := len(a.TextViews); n > 40 {
		t.Errorf("%d of %d blocks exist", n, len(a.Doc.Blocks()))
	}
	d.chats.Transcript.View.GoTo(d.chats.Transcript.View.Tall() / 2)
	if n := len(a.TextViews); n > 40 || n == 0 {
		t.Errorf("in the middle %d blocks exist", n)
	}
	if d.chats.Transcript.Overlay.Latest.Hidden {
		t.Error("there is no way back to the newest")
	}
	d.chats.Transcript.View.ToLatest()
	if !d.chats.Transcript.View.Scroll.AtBottom() || !d.chats.Transcript.Overlay.Latest.Hidden {
		t.Error("the way to the newest does not lead there")
	}
}

func TestHugeListingIsDrawnInPart(t *testing.T) {
	d := newDesk(t, Options{})
	d.chats.Chats[0].Chat = view.NewChat([]view.Item{view.Answer{Text: "```\n" + strings.Repeat("one line of it\n", 5000) + "```"}}, view.Spent{})
	d.chats.Refresh()
	a := d.chats.Transcript.View.Rows[0].Block.(*transcript.Answer)
	if n := len(test.WidgetRenderer(a.TextViews[0]).Objects()); n > 300 {
		t.Errorf("%d objects are drawn", n)
	}
	if !d.chats.Transcript.View.Scroll.AtBottom() {
		t.Error("its end is not shown")
	}
}

// passage is the one with that text.
func (d *desk) passage(text string) *transcript.TextView {
	d.t.Helper()
	p, ok := find(d, func(p *transcript.TextView) bool { return p.Block.Text() == text })
	if !ok {
		d.t.Fatalf("no passage says %q", text)
	}
	return p
}

func talk(d *desk) {
	d.chats.Transcript.Begin = nil
	d.chats.Chats[0].Chat = view.Chat{}.Say("the question").
		Apply(agent.TextDelta{Text: "Some **bold** words.\n\n- one `code`\n- two\n\n| a | b |\n|---|---|\n| c | d |\n\n```go\nx\t:= 1\n```\n\nThe end, see [it](https://example.org/x)."}).
		Apply(agent.TurnEnded{Reason: agent.Done})
	d.chats.Refresh()
}

func TestMessagesCanBeActedOn(t *testing.T) {
	d := newDesk(t, Options{})
	var done []string
	note := func(what string) func(int) {
		return func(i int) { done = append(done, fmt.Sprint(what, " ", i)) }
	}
	d.chats.Transcript.On.Edit, d.chats.Transcript.On.Regenerate, d.chats.Transcript.On.Delete = note("edit"), note("again"), note("delete")
	talk(d)
	answer := d.chats.Transcript.View.Rows[1].Block.(*transcript.Answer)
	bubble := d.chats.Transcript.View.Rows[0].Block.(*transcript.Bubble)
	if answer.Foot.Buttons[0].Hidden || !bubble.Foot.Buttons[0].Hidden {
		t.Error("not just the last answer shows what can be done")
	}
	bubble.Text.MouseMoved(&desktop.MouseEvent{})
	if bubble.Foot.Buttons[0].Hidden {
		t.Error("what can be done is not shown where the pointer is")
	}
	for _, b := range slices.Concat(bubble.Foot.Buttons, answer.Foot.Buttons) {
		test.Tap(b)
	}
	// Delete is not beside Edit: it is in the menu of the last button.
	if want := []string{"edit 0", "again 1"}; !slices.Equal(done, want) {
		t.Errorf("%q were done, not %q", done, want)
	}
	if got := d.app.Clipboard().Content(); !strings.Contains(got, "**bold**") {
		t.Errorf("%q was copied, which is not Markdown", got)
	}
	d.chats.Transcript.On.Edit = nil
	d.chats.Transcript.Reset()
	d.chats.Refresh()
	if b, ok := find(d, func(b *kit.Button) bool { return b.Icon == "pencil" }); ok {
		t.Errorf("%q can be done by nobody", b.Icon)
	}
}
