package ui

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/ui/kit"
	"goated/ui/richtext"
	"goated/ui/view"
)

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
	if c.spin.Beat == nil {
		t.Error("a running card does not turn")
	}
	item := c.item
	item.Status, item.Result = view.Complete, long.String()
	d.chats[0].chat.Items[1] = item
	d.refresh()
	if c.spin.Beat != nil {
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
	note, ok := find(d, func(p *kit.Paragraph) bool {
		return strings.HasPrefix(richtext.PlainText(p.Spans), "Showing the first 200 of 1001 lines")
	})
	if !ok {
		t.Error("the card does not say that it shows a part only")
	} else if !strings.Contains(richtext.PlainText(note.Spans), "Copy takes all") {
		t.Error("nothing says how to get the rest")
	}
	n := 0
	find(d, func(b *kit.Button) bool {
		if b.Text == "Copy" {
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
	if !s.AtBottom() {
		t.Fatal("a long answer does not scroll to its end")
	}
	grow := func() {
		d.chats[0].chat = d.chats[0].chat.Apply(agent.TextDelta{Text: text})
		d.refresh()
	}
	grow()
	if !s.AtBottom() {
		t.Error("the transcript does not follow the answer")
	}
	s.Scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 500)})
	at := s.Scroll.Offset.Y
	grow()
	if s.Scroll.Offset.Y != at {
		t.Errorf("the text moved away under the reader, from %v to %v", at, s.Scroll.Offset.Y)
	}
}
