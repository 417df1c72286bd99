package ui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"

	"goated/agent"
	"goated/ui/kit"
	"goated/ui/view"
)

// long is a desk with a chat of n messages on it.
func long(t testing.TB, n int) *desk {
	d := newDesk(t, Options{})
	d.transcript.Begin = nil
	d.chats[0].chat = longChat(n)
	d.refresh()
	return d
}

// tops are where the rows that exist are seen, by their index.
func (d *desk) tops() map[int]float32 {
	t := d.transcript
	tops := map[int]float32{}
	for i := t.made[0]; i < t.made[1]; i++ {
		tops[i] = t.rows[i].block.object().Position().Y - t.scroll.Scroll.Offset.Y
	}
	return tops
}

func TestOnlyWhatIsInSightExists(t *testing.T) {
	d := long(t, 2000)
	for range 3 {
		d.transcript.goTo(d.transcript.tall() / 2)
		d.transcript.toTop()
	}
	n := 0
	for _, r := range d.transcript.rows {
		if r.block != nil {
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
	tr := d.transcript
	for _, step := range []float32{200, 300, 37, 511, -40, 90, 250, -333, 600} {
		before := d.tops()
		offset := tr.scroll.Scroll.Offset.Y
		tr.scroll.Scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, step)})
		after := d.tops()
		if offset == tr.scroll.Scroll.Offset.Y {
			continue
		}
		moved := 0
		for i, was := range before {
			is, ok := after[i]
			if !ok || was < 0 || was > 600 { // in sight before
				continue
			}
			moved++
			if tr.stick || step < 0 && tr.scroll.AtBottom() {
				continue
			}
			if d := is - was - step; d > 1 || d < -1 {
				t.Errorf("row %d moved by %v and not by %v", i, is-was, step)
			}
		}
		last := float32(0)
		for i := tr.made[0]; i < tr.made[1]; i++ {
			o := tr.rows[i].block.object()
			if i > tr.made[0] && o.Position().Y < last {
				t.Errorf("row %d lies on the one before", i)
			}
			last = o.Position().Y + o.Size().Height
		}
	}
}

func TestLongAnswerExistsInPart(t *testing.T) {
	d := newDesk(t, Options{})
	d.chats[0].chat = view.Chat{Items: []view.Item{view.User{Text: "go"}, view.Answer{Text: newProsody(1).answer(200_000)}}}
	d.refresh()
	a := d.transcript.rows[1].block.(*answer)
	if n := len(a.passages); n > 40 {
		t.Errorf("%d of %d blocks exist", n, len(a.doc.Blocks()))
	}
	d.transcript.goTo(d.transcript.tall() / 2)
	if n := len(a.passages); n > 40 || n == 0 {
		t.Errorf("in the middle %d blocks exist", n)
	}
	if d.transcript.latest.Hidden {
		t.Error("there is no way back to the newest")
	}
	d.transcript.toLatest()
	if !d.transcript.scroll.AtBottom() || !d.transcript.latest.Hidden {
		t.Error("the way to the newest does not lead there")
	}
}

func TestHugeListingIsDrawnInPart(t *testing.T) {
	d := newDesk(t, Options{})
	d.chats[0].chat = view.Chat{Items: []view.Item{view.Answer{Text: "```\n" + strings.Repeat("one line of it\n", 5000) + "```"}}}
	d.refresh()
	a := d.transcript.rows[0].block.(*answer)
	if n := len(test.WidgetRenderer(a.passages[0]).Objects()); n > 300 {
		t.Errorf("%d objects are drawn", n)
	}
	if !d.transcript.scroll.AtBottom() {
		t.Error("its end is not shown")
	}
}

// passage is the one with that text.
func (d *desk) passage(text string) *passage {
	d.t.Helper()
	p, ok := find(d, func(p *passage) bool { return p.block.Text() == text })
	if !ok {
		d.t.Fatalf("no passage says %q", text)
	}
	return p
}

// pointAt is where in the window a place in a passage is.
func pointAt(p *passage, at int) fyne.Position {
	pos := fyne.CurrentApp().Driver().AbsolutePositionForObject(p)
	for _, l := range p.set.lines {
		for _, f := range l.Parts {
			if n := at - l.at - f.At; n >= 0 && n <= f.N {
				return pos.AddXY(l.x+f.X+f.Advance(nil, l.size, n), l.y+l.leading/2)
			}
		}
	}
	return pos
}

func (d *desk) pressAt(pos fyne.Position, m fyne.KeyModifier) {
	d.transcript.press(&desktop.MouseEvent{PointEvent: fyne.PointEvent{AbsolutePosition: pos}, Button: desktop.MouseButtonPrimary, Modifier: m})
}

func (d *desk) releaseAt(pos fyne.Position) {
	d.transcript.release(&desktop.MouseEvent{PointEvent: fyne.PointEvent{AbsolutePosition: pos}, Button: desktop.MouseButtonPrimary})
}

func (d *desk) copied() string {
	d.t.Helper()
	d.app.Clipboard().SetContent("")
	d.transcript.ground.TypedShortcut(&fyne.ShortcutCopy{Clipboard: d.app.Clipboard()})
	return d.app.Clipboard().Content()
}

func talk(d *desk) {
	d.transcript.Begin = nil
	d.chats[0].chat = view.Chat{}.Say("the question").
		Apply(agent.TextDelta{Text: "Some **bold** words.\n\n- one `code`\n- two\n\n| a | b |\n|---|---|\n| c | d |\n\n```go\nx\t:= 1\n```\n\nThe end, see [it](https://example.org/x)."}).
		Apply(agent.TurnEnded{Reason: agent.Done})
	d.refresh()
}

func TestSelectionGoesAcross(t *testing.T) {
	d := newDesk(t, Options{})
	talk(d)
	from, to := d.passage("the question"), d.passage("The end, see it (example.org).")
	d.pressAt(pointAt(from, 4), 0)
	d.transcript.drag(pointAt(to, 7))
	d.releaseAt(pointAt(to, 7))
	const want = "question\n\nSome bold words.\n\n• one code\n• two\n\na\tb\nc\td\n\nx\t:= 1\n\nThe end"
	if got := d.copied(); got != want {
		t.Errorf("%q was copied, not %q", got, want)
	}
	if d.win.Canvas().Focused() != fyne.Focusable(d.transcript.ground) {
		t.Error("what is selected has not the focus, so no key reaches it")
	}
	// Backwards it is the same.
	d.pressAt(pointAt(to, 7), 0)
	d.transcript.drag(pointAt(from, 4))
	if got := d.copied(); got != want {
		t.Errorf("backwards %q was copied", got)
	}
	d.pressAt(pointAt(from, 4), 0)
	d.pressAt(pointAt(to, 3), fyne.KeyModifierShift)
	if got := d.copied(); !strings.HasPrefix(got, "question\n\nSome") || !strings.HasSuffix(got, "\n\nThe") {
		t.Errorf("with Shift %q was copied", got)
	}
	kit.Focus(d.composer.input)
	if got := d.copied(); got != "" {
		t.Errorf("without the focus %q is still selected", got)
	}
	for range 20 {
		d.win.Canvas().FocusNext()
		if d.win.Canvas().Focused() == fyne.Focusable(d.transcript.ground) {
			t.Error("Tab stops at the text")
		}
	}
}

func TestPressesSelectWordsAndBlocks(t *testing.T) {
	d := newDesk(t, Options{})
	talk(d)
	at := pointAt(d.passage("Some bold words."), 6)
	d.pressAt(at, 0)
	d.pressAt(at, 0)
	if got := d.copied(); got != "bold" {
		t.Errorf("twice selects %q", got)
	}
	d.pressAt(at, 0)
	if got := d.copied(); got != "Some bold words." {
		t.Errorf("three times selects %q", got)
	}
	d.transcript.ground.TypedShortcut(&fyne.ShortcutSelectAll{})
	if got := d.copied(); !strings.HasPrefix(got, "the question\n\nSome") || !strings.HasSuffix(got, "(example.org).") {
		t.Errorf("all is %q", got)
	}
}

func TestDraggingBeyondTheEdgeScrolls(t *testing.T) {
	d := long(t, 100)
	tr := d.transcript
	d.pressAt(fyne.NewPos(700, 400), 0)
	tr.drag(fyne.NewPos(700, -50))
	at := tr.scroll.Scroll.Offset.Y
	d.beats(5)
	if tr.scroll.Scroll.Offset.Y >= at {
		t.Error("it does not scroll")
	}
	d.releaseAt(fyne.NewPos(700, -50))
	at = tr.scroll.Scroll.Offset.Y
	d.beats(5)
	if tr.scroll.Scroll.Offset.Y != at || tr.crawl != nil {
		t.Error("it scrolls on")
	}
	if got := d.copied(); strings.Count(got, "\n\n") < 2 {
		t.Errorf("only %q is selected", got)
	}
}

func TestLinkIsShownAndAskedFor(t *testing.T) {
	d := newDesk(t, Options{})
	talk(d)
	var opened []string
	d.transcript.OnLink = func(address string) { opened = append(opened, address) }
	p := d.passage("The end, see it (example.org).")
	pos := pointAt(p, 14)
	rel := pos.Subtract(fyne.CurrentApp().Driver().AbsolutePositionForObject(p))
	p.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: rel, AbsolutePosition: pos}})
	if !d.reads("https://example.org/x") || p.Cursor() != desktop.PointerCursor {
		t.Error("the address of a link under the pointer is not shown")
	}
	d.pressAt(pos, 0)
	d.releaseAt(pos)
	if !slices.Equal(opened, []string{"https://example.org/x"}) {
		t.Errorf("%q was opened", opened)
	}
	d.pressAt(pos, 0)
	d.transcript.drag(pos.AddXY(-60, 0))
	d.releaseAt(pos.AddXY(-60, 0))
	if len(opened) != 1 {
		t.Error("selecting a link opens it")
	}
	p.MouseOut()
	if d.reads("https://example.org/x") {
		t.Error("the address stays")
	}
}

func TestFindGoesThroughTheConversation(t *testing.T) {
	d := long(t, 400)
	items := slices.Clone(d.chats[0].chat.Items)
	for _, i := range []int{3, 150, 399} {
		items[i] = view.Answer{Text: "First.\n\nHere is a **Need**le in the hay."}
	}
	d.chats[0].chat = view.Chat{Items: items}
	d.refresh()
	tr := d.transcript
	tr.find()
	test.Type(tr.query, "NEEDLE IN")
	if len(tr.hits) != 3 || tr.count.Text != "3 of 3" {
		t.Fatalf("%d are found, and the bar says %q", len(tr.hits), tr.count.Text)
	}
	for _, item := range []int{3, 150, 399, 3} {
		tr.step(1)
		if h := tr.hits[tr.here]; h.item != item || h.part != 1 {
			t.Errorf("the next is %+v, not in %d", h, item)
		}
		p := d.passage("Here is a Needle in the hay.")
		y := fyne.CurrentApp().Driver().AbsolutePositionForObject(p).Y
		if y < headerHeight || y > 700 {
			t.Errorf("the hit in %d is at %v, out of sight", item, y)
		}
		if marks := tr.marksOf(item, 1); len(marks) != 1 || marks[0] != (mark{10, 19, kit.ColorHere}) {
			t.Errorf("it is marked %+v", marks)
		}
	}
	press(tr.query, fyne.KeyEscape)
	if tr.finds || !tr.bar.Hidden || len(tr.marksOf(3, 1)) > 0 {
		t.Error("Escape does not close it")
	}
}

func TestMessagesCanBeActedOn(t *testing.T) {
	d := newDesk(t, Options{})
	var done []string
	note := func(what string) func(int) {
		return func(i int) { done = append(done, fmt.Sprint(what, " ", i)) }
	}
	d.transcript.OnEdit, d.transcript.OnRegenerate, d.transcript.OnDelete = note("edit"), note("again"), note("delete")
	talk(d)
	answer := d.transcript.rows[1].block.(*answer)
	bubble := d.transcript.rows[0].block.(*bubble)
	if answer.foot.buttons[0].Hidden || !bubble.foot.buttons[0].Hidden {
		t.Error("not just the last answer shows what can be done")
	}
	bubble.text.MouseMoved(&desktop.MouseEvent{})
	if bubble.foot.buttons[0].Hidden {
		t.Error("what can be done is not shown where the pointer is")
	}
	for _, b := range slices.Concat(bubble.foot.buttons, answer.foot.buttons) {
		test.Tap(b)
	}
	if want := []string{"edit 0", "delete 0", "again 1", "delete 1"}; !slices.Equal(done, want) {
		t.Errorf("%q were done, not %q", done, want)
	}
	if got := d.app.Clipboard().Content(); !strings.Contains(got, "**bold**") {
		t.Errorf("%q was copied, which is not Markdown", got)
	}
	d.transcript.OnEdit = nil
	d.transcript.reset()
	d.refresh()
	if b, ok := find(d, func(b *kit.Button) bool { return b.Icon == "pencil" }); ok {
		t.Errorf("%q can be done by nobody", b.Icon)
	}
}

func TestTokensAreShown(t *testing.T) {
	d := newDesk(t, Options{})
	d.chats[0].chat = view.Chat{}.Say("a").Apply(agent.TextDelta{Text: "b"}).Apply(agent.TurnEnded{Reason: agent.Done, Usage: agent.Usage{Prompt: 1200, Answer: 4}})
	d.refresh()
	if !d.reads("1,204 tokens") {
		t.Error("nothing says how many tokens it took")
	}
	d.chats[0].chat = d.chats[0].chat.Say("c").Apply(agent.TextDelta{Text: "d"}).
		Apply(agent.TurnEnded{Reason: agent.Done, Usage: agent.Usage{Prompt: 800, Answer: 4, Cost: 0.0042}})
	d.refresh()
	if !d.reads("804 tokens · about $0.0042") {
		t.Error("nothing says what it cost")
	}
	d.model.MouseIn(nil)
	d.beats(kit.TooltipBeats + 1)
	if !d.reads("Choose the model. This conversation took 2,008 tokens · more than $0.0042.") {
		t.Error("the header does not tell the sum")
	}
}

func TestThoughtsOpen(t *testing.T) {
	d := newDesk(t, Options{})
	d.chats[0].chat = view.Chat{}.Say("a").Apply(agent.ThoughtDelta{Text: "Hm, **so**."}).Apply(agent.TextDelta{Text: "b"})
	d.refresh()
	if d.reads("Hm, so.") {
		t.Error("thoughts are open at first")
	}
	test.Tap(d.button("Thoughts"))
	if !d.reads("Hm, so.") {
		t.Error("they don't open")
	}
}

// A list, a table or a listing that grows ends as if it had come at once.
func TestStreamedIsAsIfAtOnce(t *testing.T) {
	d, o := newDesk(t, Options{}), newDesk(t, Options{})
	d.transcript.Begin, o.transcript.Begin = nil, nil
	chat := view.Chat{}.Say("go")
	d.transcript.live = true
	for _, r := range richAnswer {
		chat = chat.Apply(agent.TextDelta{Text: string(r)})
		d.transcript.show(chat)
	}
	d.chats[0].chat, o.chats[0].chat = chat, chat
	d.refresh()
	o.refresh()
	for _, k := range []*desk{d, o} { // all of it has been seen
		k.transcript.toTop()
		k.transcript.toLatest()
	}
	a, b := d.transcript.rows[1].block.(*answer), o.transcript.rows[1].block.(*answer)
	if a.heights.Total() != b.heights.Total() || d.transcript.tall() != o.transcript.tall() {
		t.Errorf("it is %v high, not %v", d.transcript.tall(), o.transcript.tall())
	}
	for i, p := range b.passages {
		if q := a.passages[i]; q == nil || !slices.EqualFunc(p.set.lines, q.set.lines, func(x, y setLine) bool {
			return x.x == y.x && x.y == y.y && slices.Equal(x.Parts, y.Parts)
		}) {
			t.Errorf("block %d is another: %q", i, p.block.Text())
		}
	}
	if as, bs := d.win.Canvas().Capture(), o.win.Canvas().Capture(); !samePicture(as, bs) {
		t.Error("it looks otherwise")
	}
}

// A listing that comes in slowly is coloured by its lines, and in the end whole.
func TestListingThatGrowsIsColoured(t *testing.T) {
	d := newDesk(t, Options{})
	asked := 0
	d.transcript.Begin = func(f func()) { asked++; f() }
	chat := view.Chat{}.Say("go")
	d.transcript.live = true
	code := strings.Repeat("if x := 1; x > 0 {\n\treturn \"so\" // why\n}\n", 30)
	for i, r := range "```go\n" + code + "```\n\nDone" {
		chat = chat.Apply(agent.TextDelta{Text: string(r)})
		d.transcript.show(chat)
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
	if !slices.Equal(p.tint.spans, view.Highlight("go", p.block.Text())) {
		t.Error("its colours are not those of the whole")
	}
}

// Whatever a model writes, and however wide the window is: it is laid out, with
// each line under the one before, and nothing panics.
func TestAnythingIsLaidOut(t *testing.T) {
	d := newDesk(t, Options{})
	d.transcript.Begin = nil
	piece := rapid.SampledFrom([]string{"a ", "word", "|", "|a|b|\n|-|-|\n", "**", "`", "```go\n", "\n", "\n\n", "- ", "  1. ", "# ", "> ", "- [x] ", "$", "[l](http://x.y)", "---\n", "<br>", "\t", "日本", "[^1]", "[^1]: n\n"})
	rapid.Check(t, func(r *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 25).Draw(r, "pieces"), "")
		d.transcript.reset()
		d.win.Resize(fyne.NewSize(rapid.SampledFrom([]float32{500, 900, 1280}).Draw(r, "width"), 700))
		chat := view.Chat{}.Say("go")
		for _, live := range []bool{true, false} {
			d.transcript.live = live
			if live {
				for _, c := range text {
					chat = chat.Apply(agent.TextDelta{Text: string(c)})
					d.transcript.show(chat)
				}
			}
			d.transcript.show(chat)
		}
		d.transcript.selectAll()
		for _, p := range d.transcript.passages() {
			n := len([]rune(p.block.Text()))
			for _, l := range p.set.lines {
				if l.at+l.End > n || l.y < 0 || l.y+l.leading > p.set.height+0.5 {
					r.Fatalf("%q: a line at %v of %v, up to %d of %d characters", text, l.y, p.set.height, l.at+l.End, n)
				}
			}
		}
		_ = d.transcript.selected()
	})
}

// errand is a conversation with a thought, a call and a failure in it.
func errand(d *desk) {
	d.transcript.Begin = nil
	d.chats[0].chat = view.Chat{}.Say("what is it?").
		Apply(agent.ThoughtDelta{Text: "A **hidden** thought."}).
		Apply(agent.ToolCalled{ID: "1", Server: "shop", Tool: "get_order", Args: map[string]any{"id": 7}}).
		Apply(agent.ToolDecided{ID: "1", Decision: agent.AllowOnce}).
		Apply(agent.ToolReturned{ID: "1", Result: said("the treasure is here")}).
		Apply(agent.TextDelta{Text: "Some **bold words** here.\n\n| a | b |\n|---|---|\n| c | d |\n| e | f |"}).
		Fail(errors.New("the line broke"))
	d.refresh()
}

// What lies between two ends of a selection is of it, whatever it is.
func TestSelectionGoesAcrossCards(t *testing.T) {
	d := newDesk(t, Options{})
	errand(d)
	d.transcript.selectAll()
	d.transcript.ground.held = true
	for _, want := range []string{"what is it?", "A hidden thought.", "get_order (shop): Complete", "\"id\": 7", "the treasure is here", "Some bold words here.", "a\tb\nc\td", "The line broke"} {
		if got := d.copied(); !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	source := d.transcript.selectedSource()
	for _, want := range []string{"> A **hidden** thought.", "```json\n{\n", "```\nthe treasure is here\n```", "Some **bold words** here.", "| a | b |\n|---|---|\n| c | d |"} {
		if !strings.Contains(source, want) {
			t.Errorf("%q is not in %q", want, source)
		}
	}
	if c := d.transcript.rows[2].block.(*card); !c.picked {
		t.Error("the card does not look selected")
	}
	d.transcript.deselect()
	if c := d.transcript.rows[2].block.(*card); c.picked {
		t.Error("the card still looks selected")
	}
	// From the question up to the card itself.
	d.pressAt(pointAt(d.passage("what is it?"), 8), 0)
	o := d.transcript.rows[2].block.object()
	d.transcript.drag(fyne.CurrentApp().Driver().AbsolutePositionForObject(o).Add(fyne.NewPos(200, 10)))
	if got := d.copied(); !strings.HasPrefix(got, "it?\n\nA hidden thought.\n\nget_order (shop)") || !strings.HasSuffix(got, "the treasure is here") {
		t.Errorf("%q was copied", got)
	}
}

// Markdown that is copied is what is selected, and no more.
func TestPartIsCopiedAsMarkdown(t *testing.T) {
	d := newDesk(t, Options{})
	errand(d)
	words, cells := d.passage("Some bold words here."), d.passage("a\tb\nc\td\ne\tf")
	d.pressAt(pointAt(words, 7), 0)
	d.transcript.drag(pointAt(cells, 6))
	if got, want := d.transcript.selectedSource(), "**ld words** here.\n\n| a | b |\n|---|---|\n| c |  |"; got != want {
		t.Errorf("%q was copied, not %q", got, want)
	}
	d.pressAt(pointAt(words, 5), 0)
	d.transcript.drag(pointAt(words, 9))
	if got := d.transcript.selectedSource(); got != "**bold**" {
		t.Errorf("%q was copied", got)
	}
}

// A search looks into what is folded, opens it, and goes on while more comes.
func TestFindOpensWhatItFinds(t *testing.T) {
	d := newDesk(t, Options{})
	errand(d)
	tr := d.transcript
	tr.find()
	test.Type(tr.query, "hidden")
	if k := tr.rows[1].block.(*thought); len(tr.hits) != 1 || !k.open {
		t.Errorf("%d are found, and the thought is open: %v", len(tr.hits), k.open)
	}
	tr.query.SetText("")
	test.Type(tr.query, "treasure")
	if c := tr.rows[2].block.(*card); len(tr.hits) != 1 || !c.open {
		t.Errorf("%d are found, and the card is open: %v", len(tr.hits), c.open)
	}
	d.chats[0].chat = d.chats[0].chat.Retract().Say("more").Apply(agent.TextDelta{Text: "Another treasure"})
	d.refresh()
	if tr.count.Text != "1 of 2" {
		t.Errorf("the bar says %q", tr.count.Text)
	}
	d.chats[0].chat = d.chats[0].chat.Apply(agent.TextDelta{Text: ", and a treasure."})
	d.refresh()
	if tr.count.Text != "1 of 3" {
		t.Errorf("the bar says %q", tr.count.Text)
	}
}

// The same, of anything that a fuzzer thinks of: some widths, streamed or at once.
func FuzzLayout(f *testing.F) {
	for _, seed := range []string{richAnswer, "```go\nx", "| a |\n|-|\n| b", "- a\n\n  > b\n\n1. c", "\\[ x \\]", "![a](data:image/png;base64,AAAA)", "\u202ea\u200d\U0001F468\u200d\U0001F469"} {
		f.Add(seed, uint16(800), uint8(7))
	}
	d := newDesk(f, Options{})
	d.transcript.Begin = nil
	f.Fuzz(func(t *testing.T, text string, width uint16, chunk uint8) {
		if len(text) > 4096 || !utf8.ValidString(text) {
			t.Skip()
		}
		wide := float32(width%2000) + 1
		var doc view.Document
		for at := 0; at < len(text); at += int(chunk)*8 + 64 {
			doc.Grow(text[:at])
		}
		doc.Finish(text)
		for i, b := range doc.Blocks() {
			p := newPassage(d.transcript, 0, i, b, reading(kit.ColorText))
			p.Resize(fyne.NewSize(wide, p.HeightFor(wide)))
			test.WidgetRenderer(p).Refresh()
			n := utf8.RuneCountInString(b.Text())
			for _, l := range p.set.lines {
				if l.at+l.End > n || l.y < 0 || l.y+l.leading > p.set.height+0.5 {
					t.Fatalf("a line at %v of %v, up to %d of %d characters", l.y, p.set.height, l.at+l.End, n)
				}
			}
			_ = view.Source([]view.Block{b.Part(n/3, n)})
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
	d.chats[0].chat = c
	d.refresh()
	d.coloured()
	d.transcript.stick = false
	d.transcript.scrollTo(2000)
	d.transcript.arrange()
	before := d.transcript.tall()
	row := d.transcript.heights.At(d.transcript.scroll.Scroll.Offset.Y - d.transcript.headroom())
	d.openSettings(settingsLook)
	_, ok := find(d, func(l *kit.Label) bool { return l.Text == "Larger" })
	if !ok {
		t.Fatal("there is no choice of a size")
	}
	d.setText(18)
	d.coloured()
	if after := d.transcript.tall(); after < before*1.1 {
		t.Errorf("it is %g high, and was %g", after, before)
	}
	if now := d.transcript.heights.At(d.transcript.scroll.Scroll.Offset.Y - d.transcript.headroom()); now < row-1 || now > row+1 {
		t.Errorf("row %d is at the top, and %d was", now, row)
	}
	sizes := map[float32]bool{}
	for _, r := range d.transcript.rows {
		if a, ok := r.block.(*answer); ok {
			for _, p := range a.passages {
				for _, l := range p.set.lines {
					sizes[l.size] = true
				}
			}
		}
	}
	if !sizes[18] || !sizes[23] || !sizes[17] || sizes[14] || len(sizes) != 3 {
		t.Errorf("sizes are %v", sizes)
	}
	d.setText(14)
	if after := d.transcript.tall(); after > before*1.05 || d.settings.TextSize != 0 {
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
		for i := range d.transcript.rows {
			if b := d.transcript.rows[i].block; b != nil {
				b.object().MinSize()
			}
		}
		p.HeightFor(1)
		p.Refresh()
		if n := len(p.set.lines); n != 1 {
			t.Errorf("%q is drawn in %d lines", text, n)
		}
	}
}
