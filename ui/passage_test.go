package ui

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"

	"goated/agent"
	"goated/ui/internal/samples"
	"goated/ui/kit"
	"goated/ui/markdown"
	"goated/ui/settings"
	"goated/ui/transcript"
	"goated/ui/view"
	md "goated/ui/view/markdown"
)

// A list, a table or a listing that grows ends as if it had come at once.
func TestStreamedIsAsIfAtOnce(t *testing.T) {
	d, o := newDesk(t, Options{}), newDesk(t, Options{})
	d.chats.Transcript.Begin, o.chats.Transcript.Begin = nil, nil
	chat := view.Chat{}.Say("go")
	d.chats.Transcript.View.Live = true
	step := 1
	if testing.Short() {
		step = 7
	}
	for piece := range slices.Chunk([]rune(richAnswer), step) {
		chat = chat.Apply(agent.TextDelta{Text: string(piece)})
		d.chats.Transcript.Show(chat)
	}
	d.chats.Chats[0].Chat, o.chats.Chats[0].Chat = chat, chat
	d.chats.Refresh()
	o.chats.Refresh()
	for _, k := range []*desk{d, o} { // all of it has been seen
		toTop(k.chats.Transcript)
		k.chats.Transcript.View.ToLatest()
	}
	a, b := d.chats.Transcript.View.Rows[1].Block.(*transcript.Answer), o.chats.Transcript.View.Rows[1].Block.(*transcript.Answer)
	if a.Heights.Total() != b.Heights.Total() || d.chats.Transcript.View.Tall() != o.chats.Transcript.View.Tall() {
		t.Errorf("it is %v high, not %v", d.chats.Transcript.View.Tall(), o.chats.Transcript.View.Tall())
	}
	for i, p := range b.TextViews {
		if q := a.TextViews[i]; q == nil || !slices.EqualFunc(p.Set.Lines, q.Set.Lines, func(x, y markdown.Line) bool {
			return x.X == y.X && x.Y == y.Y && slices.Equal(x.Parts, y.Parts)
		}) {
			t.Errorf("block %d is another: %q", i, p.Block.Text())
		}
	}
	if as, bs := d.frame.win.Canvas().Capture(), o.frame.win.Canvas().Capture(); !samples.SamePicture(as, bs) {
		t.Error("it looks otherwise")
	}
}

// A listing that comes in slowly is coloured by its lines, and in the end whole.
func TestListingThatGrowsIsColoured(t *testing.T) {
	d := newDesk(t, Options{})
	asked := 0
	d.chats.Transcript.Begin = func(f func()) { asked++; f() }
	chat := view.Chat{}.Say("go")
	d.chats.Transcript.View.Live = true
	code := strings.Repeat("if x := 1; x > 0 {\n\treturn \"so\" // why\n}\n", 30)
	for i, r := range "```go\n" + code + "```\n\nDone" {
		chat = chat.Apply(agent.TextDelta{Text: string(r)})
		d.chats.Transcript.Show(chat)
		for i%7 == 0 && len(d.queue) > 0 {
			(<-d.queue)()
		}
	}
	for len(d.queue) > 0 {
		(<-d.queue)()
	}
	if asked > 130 || asked < 5 {
		t.Errorf("it was coloured %d times", asked)
	}
	p := d.passage(strings.TrimSuffix(code, "\n"))
	if !slices.Equal(p.Tints.Spans, md.Highlight("go", p.Block.Text())) {
		t.Error("its colours are not those of the whole")
	}
}

// Whatever a model writes, and however wide the window is: it is laid out, with
// each line under the one before, and nothing panics.
func TestAnythingIsLaidOut(t *testing.T) {
	d := newDesk(t, Options{})
	d.chats.Transcript.Begin = nil
	piece := rapid.SampledFrom([]string{"a ", "word", "|", "|a|b|\n|-|-|\n", "**", "`", "```go\n", "\n", "\n\n", "- ", "  1. ", "# ", "> ", "- [x] ", "$", "[l](http://x.y)", "---\n", "<br>", "\t", "日本", "[^1]", "[^1]: n\n"})
	rapid.Check(t, func(r *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 25).Draw(r, "pieces"), "")
		d.chats.Transcript.Reset()
		d.frame.win.Resize(fyne.NewSize(rapid.SampledFrom([]float32{500, 900, 1280}).Draw(r, "width"), 700))
		chat := view.Chat{}.Say("go")
		for _, live := range []bool{true, false} {
			d.chats.Transcript.View.Live = live
			if live {
				for _, c := range text {
					chat = chat.Apply(agent.TextDelta{Text: string(c)})
					d.chats.Transcript.Show(chat)
				}
			}
			d.chats.Transcript.Show(chat)
		}
		d.chats.Transcript.Selection.All()
		for _, p := range d.chats.Transcript.View.TextViews() {
			n := len([]rune(p.Block.Text()))
			for _, l := range p.Set.Lines {
				if l.At+l.End > n || l.Y < 0 || l.Y+l.Leading > p.Set.Height+0.5 {
					r.Fatalf("%q: a line at %v of %v, up to %d of %d characters", text, l.Y, p.Set.Height, l.At+l.End, n)
				}
			}
		}
		_ = d.chats.Transcript.Selection.Text()
	})
}

// The same, of anything that a fuzzer thinks of: some widths, streamed or at once.
func FuzzLayout(f *testing.F) {
	for _, seed := range []string{richAnswer, "```go\nx", "| a |\n|-|\n| b", "- a\n\n  > b\n\n1. c", "\\[ x \\]", "![a](data:image/png;base64,AAAA)", "\u202ea\u200d\U0001F468\u200d\U0001F469"} {
		f.Add(seed, uint16(800), uint8(7))
	}
	d := newDesk(f, Options{})
	d.chats.Transcript.Begin = nil
	f.Fuzz(func(t *testing.T, text string, width uint16, chunk uint8) {
		if len(text) > 4096 || !utf8.ValidString(text) {
			t.Skip()
		}
		wide := float32(width%2000) + 1
		var doc md.Document
		for at := 0; at < len(text); at += int(chunk)*8 + 64 {
			doc.Grow(text[:at])
		}
		doc.Finish(text)
		for i, b := range doc.Blocks() {
			p := d.chats.Transcript.NewTextView(0, i, b, markdown.Body(kit.ColorText))
			p.Resize(fyne.NewSize(wide, p.HeightFor(wide)))
			test.WidgetRenderer(p).Refresh()
			n := utf8.RuneCountInString(b.Text())
			for _, l := range p.Set.Lines {
				if l.At+l.End > n || l.Y < 0 || l.Y+l.Leading > p.Set.Height+0.5 {
					t.Fatalf("a line at %v of %v, up to %d of %d characters", l.Y, p.Set.Height, l.At+l.End, n)
				}
			}
			_ = md.Source([]md.Block{b.Part(n/3, n)})
		}
	})
}

// Larger letters take more room at once, and what was looked at stays in sight.
func TestTextOfConversationsGrowsLive(t *testing.T) {
	var k kept
	d := newDesk(t, Options{Save: k.save})
	c := view.Chat{}
	for range 40 {
		c = c.Say("What does it say?").Apply(agent.TextDelta{Text: "# A title\n\nIt says `this`, and more of it:\n\n```go\nfunc f() {}\n```"}).Apply(agent.TurnEnded{Reason: agent.Done})
	}
	d.chats.Chats[0].Chat = c
	d.chats.Refresh()
	d.coloured()
	d.chats.Transcript.View.Stick = false
	d.chats.Transcript.View.ScrollTo(2000)
	d.chats.Transcript.View.Arrange()
	before := d.chats.Transcript.View.Tall()
	row := d.chats.Transcript.View.Heights.At(d.chats.Transcript.View.Scroll.Scroll.Offset.Y - d.chats.Transcript.View.Headroom())
	d.settingsPages.Open(settings.Look)
	_, ok := find(d, func(l *kit.Label) bool { return l.Text == "Larger" })
	if !ok {
		t.Fatal("there is no choice of a size")
	}
	d.prefs.setText(18)
	d.coloured()
	if after := d.chats.Transcript.View.Tall(); after < before*1.1 {
		t.Errorf("it is %g high, and was %g", after, before)
	}
	if now := d.chats.Transcript.View.Heights.At(d.chats.Transcript.View.Scroll.Scroll.Offset.Y - d.chats.Transcript.View.Headroom()); now < row-1 || now > row+1 {
		t.Errorf("row %d is at the top, and %d was", now, row)
	}
	sizes := map[float32]bool{}
	for _, r := range d.chats.Transcript.View.Rows {
		if a, ok := r.Block.(*transcript.Answer); ok {
			for _, p := range a.TextViews {
				for _, l := range p.Set.Lines {
					sizes[l.TextSize] = true
				}
			}
		}
	}
	if !sizes[18] || !sizes[23] || !sizes[17] || sizes[14] || len(sizes) != 3 {
		t.Errorf("sizes are %v", sizes)
	}
	d.prefs.setText(14)
	if after := d.chats.Transcript.View.Tall(); after > before*1.05 || d.prefs.current.TextSize != 0 {
		t.Errorf("back again it is %g high, and was %g", after, before)
	}
}

// What Fyne asks for in between, such as the smallest size of everything, does
// not change how a message is drawn.
func TestPassageIsDrawnForItsWidth(t *testing.T) {
	d := newDesk(t, Options{})
	talk(d)
	for _, text := range []string{"the question", "Some bold words."} {
		p := d.passage(text)
		for i := range d.chats.Transcript.View.Rows {
			if b := d.chats.Transcript.View.Rows[i].Block; b != nil {
				b.Object().MinSize()
			}
		}
		p.HeightFor(1)
		p.Refresh()
		if n := len(p.Set.Lines); n != 1 {
			t.Errorf("%q is drawn in %d lines", text, n)
		}
	}
}
