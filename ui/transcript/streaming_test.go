package transcript

import (
	"slices"
	"strings"
	"testing"

	"goated/agent"
	"goated/ui/internal/samples"
	"goated/ui/view"
)

// sameFromTopToEnd compares two transcripts, page by page.
func sameFromTopToEnd(t *testing.T, a, b *desk) {
	t.Helper()
	for _, d := range []*desk{a, b} {
		d.toTop()
		d.toEnd() // makes all heights exact
		d.toTop()
	}
	if a, b := a.page.View.Tall(), b.page.View.Tall(); a != b {
		t.Errorf("the transcript is %v high, not %v", a, b)
	}
	for page := 0; page < 20; page++ {
		if !samples.SamePicture(a.Picture(), b.Picture()) {
			t.Errorf("page %d looks different", page)
		}
		if a.page.View.Scroll.AtBottom() {
			return
		}
		a.scroll(-500)
		b.scroll(-500)
	}
	t.Error("the end is not reached")
}

// A list, a table or a code block that streams in ends up like one that arrives in one piece.
func TestStreamedAnswerLooksLikeAWholeOne(t *testing.T) {
	streamed, whole := newDesk(t), newDesk(t)
	chat := view.Chat{}.Say("go")
	step := 1
	if testing.Short() {
		step = 7
	}
	for piece := range slices.Chunk([]rune(samples.RichAnswer), step) {
		chat = chat.Apply(agent.TextDelta{Text: string(piece)})
		streamed.show(chat, true)
	}
	streamed.show(chat, false)
	whole.show(chat, false)
	sameFromTopToEnd(t, streamed, whole)
}

// A code block that streams in is highlighted line by line, and finally as a whole.
func TestListingThatGrowsIsColoured(t *testing.T) {
	code := strings.Repeat("if x := 1; x > 0 {\n\treturn \"so\" // why\n}\n", 12)
	answer := "```go\n" + code + "```\n\nDone"
	d := newDesk(t)
	coloured := 0
	d.page.Begin = func(f func()) { coloured++; f() }
	chat := view.Chat{}.Say("go")
	for i, r := range answer {
		chat = chat.Apply(agent.TextDelta{Text: string(r)})
		d.show(chat, true)
		if i%7 == 0 {
			d.drain()
		}
	}
	d.drain()
	if coloured > 60 || coloured < 5 {
		t.Errorf("the listing was coloured %d times", coloured)
	}
	plain, whole := newDesk(t), newDesk(t)
	plain.page.Begin = func(func()) {} // the highlighting never arrives
	plain.show(chat, true)
	whole.show(chat, false)
	d.toTop()
	plain.toTop()
	if samples.SamePicture(d.Picture(), plain.Picture()) {
		t.Error("the listing has no colours while the answer grows")
	}
	d.show(chat, false)
	sameFromTopToEnd(t, d, whole)
}
