package transcript

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/ui/textview"
	"goated/ui/view"
)

// sections is an answer with 60 sections. Each has paragraphs of numbered words.
func sections(words int) string {
	var b strings.Builder
	for part := range 60 {
		fmt.Fprintf(&b, "## Part %d\n\n", part+1)
		for i := range words {
			fmt.Fprintf(&b, "w%dx%d ", part+1, i)
		}
		b.WriteString("\n\n- one\n- two\n\n```go\nfunc main() {}\n```\n\n")
	}
	return b.String()
}

// at returns the distance of the line with a word from the top of the window.
func (d *desk) at(word string) (y float32, exists bool) {
	for i, r := range d.page.View.Rows {
		var texts []*textview.View
		switch b := r.Block.(type) {
		case *Answer:
			texts = slices.Collect(maps.Values(b.TextViews))
		case *Bubble:
			texts = []*textview.View{b.Text}
		}
		for _, text := range texts {
			if before, _, ok := strings.Cut(text.String()+" ", word+" "); ok && d.page.View.isListed(d.page.View.Rows[i].Block.Object()) {
				top := fyne.CurrentApp().Driver().AbsolutePositionForObject(text).Y
				return top + text.LineAt(utf8.RuneCountInString(before)), true
			}
		}
	}
	return 0, false
}

// height is at for a word that must exist.
func (d *desk) height(word string) float32 {
	d.T.Helper()
	y, ok := d.at(word)
	if !ok {
		d.T.Fatalf("%q does not exist", word)
	}
	return y
}

// readTo scrolls down until a word is at the top.
func (d *desk) readTo(word string) {
	d.T.Helper()
	d.toTop()
	for range 3000 {
		d.scroll(-40)
		if y, ok := d.at(word); ok && y < 40 {
			return
		}
	}
	d.T.Fatalf("%q is not in the text", word)
}

// wrapped is how far a word at the end of a line moves down if the line wraps into several lines.
const wrapped = 160

// When the window became narrower, an answer with many parts scrolled back to its first part.
func TestOtherWidthsKeepTheLine(t *testing.T) {
	for name, test := range map[string]struct {
		words int
		word  string
	}{"a heading": {80, "Part 13"}, "the middle of a paragraph": {900, "w13x450"}} {
		d := newDesk(t)
		d.show(view.Chat{}.Say("Explain.").Apply(agent.TextDelta{Text: sections(test.words)}), false)
		d.Window.Resize(fyne.NewSize(1280, 700))
		d.readTo(test.word)
		before := d.height(test.word)
		for _, width := range []float32{640, 480, 1280, 853, 560, 1020, 1280} {
			d.Window.Resize(fyne.NewSize(width, 700))
			if now := d.height(test.word); now < before-60 || now > before+wrapped {
				t.Errorf("%s: in %g it is at %g, and was at %g", name, width, now, before)
			}
		}
		for width := float32(1280); width > 480; width -= 7 {
			d.Window.Resize(fyne.NewSize(width, 700))
		}
		d.Window.Resize(fyne.NewSize(1280, 700))
		if now := d.height(test.word); now != before {
			t.Errorf("%s: at the width of the beginning it is at %g, and was at %g", name, now, before)
		}
		for _, by := range []float32{4, 7, -2, 0} {
			d.page.View.Enlarge(by)
			if now := d.height(test.word); now < before-60 || now > before+wrapped {
				t.Errorf("%s: with %g points more it is at %g, and was at %g", name, by, now, before)
			}
		}
	}
}

// The place within a message of the user is kept too.
func TestOtherWidthsKeepTheLineOfAMessage(t *testing.T) {
	d := newDesk(t)
	d.show(view.Chat{}.Say(strings.ReplaceAll(sections(60), "#", "")).Apply(agent.TextDelta{Text: sections(60)}), false)
	d.readTo("w13x30")
	before := d.height("w13x30")
	for _, width := range []float32{640, 480, 1280} {
		d.Window.Resize(fyne.NewSize(width, 700))
		if now := d.height("w13x30"); now < before-60 || now > before+wrapped {
			t.Errorf("in %g it is at %g, and was at %g", width, now, before)
		}
	}
}

// A view that follows the end keeps following it.
func TestOtherWidthsFollowTheEnd(t *testing.T) {
	d := newDesk(t)
	d.show(view.Chat{}.Say("Explain.").Apply(agent.TextDelta{Text: sections(80) + "The end of it."}), false)
	d.toEnd()
	for _, width := range []float32{640, 480, 1280, 1020} {
		d.Window.Resize(fyne.NewSize(width, 700))
		if y := d.height("The end of it."); y < 0 || y > 700 || !d.page.View.Stick {
			t.Errorf("in %g, the end is at %g", width, y)
		}
	}
	d.page.View.Enlarge(4)
	if y := d.height("The end of it."); y < 0 || y > 700 || !d.page.View.Stick {
		t.Errorf("in large text, the end is at %g", y)
	}
}

// A window with another width opens a conversation at the line that was last read.
func TestAnotherWindowOpensAtTheLine(t *testing.T) {
	chat := view.Chat{}.Say("Explain.").Apply(agent.TextDelta{Text: sections(900)})
	d := newDesk(t)
	d.show(chat, false)
	d.readTo("w13x450")
	before, saved := d.height("w13x450"), d.page.View.ScrollPos()
	for _, width := range []float32{640, 1020, 1280} {
		d := newDesk(t)
		d.Window.Resize(fyne.NewSize(width, 700))
		d.show(chat, false)
		d.page.View.SetScrollPos(saved)
		if now := d.height("w13x450"); now < before-60 || now > before+wrapped {
			t.Errorf("in %g it is at %g, and was at %g", width, now, before)
		}
	}
	d.toTop()
	d.page.View.SetScrollPos(d.page.View.ScrollPos())
	if y := d.page.View.Scroll.Scroll.Offset.Y; y != 0 {
		t.Errorf("the beginning is restored as %g", y)
	}
	d.page.View.SetScrollPos("1 400 7 3.5") // from a longer answer
	d.page.View.SetScrollPos("1 -4 -7 -3.5")
	d.page.View.SetScrollPos("nonsense")
}
