package transcript

import (
	"strings"
	"testing"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"pgregory.net/rapid"

	"goated/agent"
	"goated/ui/internal/samples"
	"goated/ui/internal/screentest"
	"goated/ui/view"
)

// Any text is laid out at any width without a panic, whether it streams in or arrives in one
// piece. All lines stay within their block.
func TestAnythingIsLaidOut(t *testing.T) {
	d := newDesk(t)
	piece := rapid.SampledFrom([]string{"a ", "word", "|", "|a|b|\n|-|-|\n", "**", "`", "```go\n", "\n", "\n\n", "- ", "  1. ", "# ", "> ", "- [x] ", "$", "[l](http://x.y)", "---\n", "<br>", "\t", "日本", "[^1]", "[^1]: n\n"})
	rapid.Check(t, func(r *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 25).Draw(r, "pieces"), "")
		d.page.Reset()
		d.Window.Resize(fyne.NewSize(rapid.SampledFrom([]float32{240, 640, 1020}).Draw(r, "width"), 560))
		chat := view.Chat{}.Say("go")
		d.show(chat, true)
		for _, c := range text {
			chat = chat.Apply(agent.TextDelta{Text: string(c)})
			d.show(chat, true)
		}
		d.show(chat, false)
		d.page.Selection.All()
		for _, p := range d.page.View.textViews() {
			if l, bad := samples.Misplaced(p.Block.Text(), p.Set); bad {
				r.Fatalf("%q: a line at %v of %v, up to character %d of %d", text, l.Y, p.Set.Height, l.At+l.End, utf8.RuneCountInString(p.Block.Text()))
			}
		}
		_ = d.page.Selection.Text()
	})
}

// A message keeps its lines when Fyne asks for minimal sizes.
func TestMessagesAreDrawnForTheirWidth(t *testing.T) {
	d := newDesk(t)
	d.show(talk(), false)
	before := d.Picture()
	screentest.AskSizes(d.Screen)
	for _, p := range d.page.View.textViews() {
		p.HeightFor(1)
		p.Refresh()
		if text := p.String(); text == "the question" || text == "Some bold words." {
			if n := len(p.Set.Lines); n != 1 {
				t.Errorf("%q is drawn in %d lines", text, n)
			}
		}
	}
	if !samples.SamePicture(before, d.Picture()) {
		t.Error("the messages look different")
	}
}

// talk is a question and an answer with several blocks.
func talk() view.Chat {
	return view.Chat{}.Say("the question").
		Apply(agent.TextDelta{Text: "Some **bold** words.\n\n- one `code`\n- two\n\n| a | b |\n|---|---|\n| c | d |\n\n```go\nx\t:= 1\n```\n\nThe end, see [it](https://example.org/x)."}).
		Apply(agent.TurnEnded{Reason: agent.Done})
}
