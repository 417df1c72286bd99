package transcript

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"goated/ui/internal/samplechat"
	"goated/ui/view"
)

func TestOnlyWhatIsInSightExists(t *testing.T) {
	d := newDesk(t)
	d.show(samplechat.LongChat(2000), false)
	d.scroll(d.page.View.Tall() / 2)
	for range 100 {
		d.scroll(400)
	}
	n := 0
	for _, r := range d.page.View.Rows {
		if r.Block != nil {
			n++
		}
	}
	if n > 20 || n < 2 {
		t.Errorf("%d of 2000 rows exist", n)
	}
}

// A spot is a text and its position on the canvas.
type spot struct {
	text     string
	nth      int // the index among equal texts
	from, to float32
}

// spots returns the texts that exist, from the top.
func (d *desk) spots() (all []spot) {
	n := map[string]int{}
	for _, text := range d.Texts() {
		if text == "go" || text == "Copy" {
			continue // they belong to a code block
		}
		at, size, _ := d.Place(text, n[text])
		all = append(all, spot{text, n[text], at.Y, at.Y + size.Height})
		n[text]++
	}
	slices.SortFunc(all, func(a, b spot) int { return cmp.Compare(a.from, b.from) })
	return all
}

// The visible texts move exactly as far as the user scrolls, even where a row turns out to be
// higher than its estimate. No texts overlap.
func TestScrollingKeepsThePlace(t *testing.T) {
	d := newDesk(t)
	d.show(samplechat.LongChat(300), false)
	for _, step := range []float32{210, 310, 37, 511, -40, 90, 260, -333, 600} {
		before := map[string]float32{}
		for _, s := range d.spots() {
			if d.Count(s.text) == 1 && s.from >= 0 && s.from <= 600 {
				before[s.text] = s.from
			}
		}
		if len(before) < 3 {
			t.Fatalf("only %d texts are in sight", len(before))
		}
		d.scroll(step)
		after := d.spots()
		moved := 0
		for i, s := range after {
			if was, ok := before[s.text]; ok {
				moved++
				if by := s.from - was - step; by > 1 || by < -1 {
					t.Errorf("%.40q moved by %v and not by %v", s.text, s.from-was, step)
				}
			}
			if i > 0 && s.from < after[i-1].to-0.5 {
				t.Errorf("%.40q lies on %.40q", s.text, after[i-1].text)
			}
		}
		if moved == 0 && step < 500 && step > -500 {
			t.Errorf("after a step of %v nothing of before exists", step)
		}
	}
}

// Only the visible blocks of a long answer exist. A button leads back to its end.
func TestLongAnswerExistsInPart(t *testing.T) {
	d := newDesk(t)
	text := samplechat.NewProse(1).Answer(200_000) + "\n\nThe end of it."
	d.show(view.NewChat([]view.Item{view.User{Text: "go"}, view.Answer{Text: text}}, view.Spent{}), false)
	a := d.page.View.Rows[1].Block.(*Answer)
	if n := len(a.TextViews); n > 40 {
		t.Errorf("%d of %d blocks exist", n, len(a.Doc.Blocks()))
	}
	if d.Icons("chevron-down") != 0 {
		t.Error("at the end a button leads to the end")
	}
	d.scroll(d.page.View.Tall() / 2)
	for range 100 {
		d.scroll(100)
	}
	if n := len(a.TextViews); n > 40 || n == 0 || len(d.Texts()) < 2 {
		t.Errorf("in the middle %d blocks exist", n)
	}
	if d.Icons("chevron-down") != 1 {
		t.Fatal("no button leads to the end")
	}
	d.PressIcon("chevron-down")
	if _, _, seen := d.Place("The end of it."); !seen || d.Icons("chevron-down") != 0 {
		t.Errorf("the button leads to %q", d.Texts())
	}
}

func TestHugeListingIsDrawnInPart(t *testing.T) {
	d := newDesk(t)
	d.show(view.NewChat([]view.Item{view.Answer{Text: "```\n" + strings.Repeat("one line of it\n", 5000) + "the last line\n```"}}, view.Spent{}), false)
	views := d.page.View.textViews()
	if len(views) != 1 {
		t.Fatalf("the answer has %d blocks", len(views))
	}
	if n := len(test.WidgetRenderer(views[0]).Objects()); n > 300 || n < 10 {
		t.Errorf("%d objects are drawn", n)
	}
	if at := d.Word(views[0].String(), "the last line"); at.Y < 0 || at.Y > 700 {
		t.Errorf("the last line is at %v", at)
	}
}
