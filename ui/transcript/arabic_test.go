package transcript

import (
	"testing"

	"goated/agent"
	"goated/ui/view"
)

// In a right-to-left line each run is as wide as it is drawn, so that the blanks between scripts
// remain. The marker of a list item and the bar of a quote are at the right.
func TestArabicAnswer(t *testing.T) {
	const words = "هذا نص عربي مع English بداخله"
	d := newDesk(t)
	d.show(view.Chat{}.Say(words).Apply(agent.TextDelta{Text: words + "\n\n- " + words + "\n- one\n\n1. " + words + "\n\n> " + words}), false)
	a := d.page.View.Rows[1].Block.(*Answer)
	for _, f := range a.TextViews[0].Set.Lines[0].Parts {
		if s := f.Shaped(14); s != nil && s.Width != f.W {
			t.Errorf("%q has the width %v and is drawn %v wide", f.Text, f.W, s.Width)
		}
	}
	list := a.TextViews[1].Set
	if arabic, latin := list.Lines[0], list.Lines[1]; list.Shapes[0].X < arabic.X+arabic.Width() || list.Shapes[1].X > latin.X {
		t.Errorf("the bullets are at %v and %v, the texts from %v to %v and from %v", list.Shapes[0].X, list.Shapes[1].X, arabic.X, arabic.X+arabic.Width(), latin.X)
	}
	if l := a.TextViews[2].Set.Lines; l[0].X < l[1].X+l[1].Width() {
		t.Errorf("the number is at %v, the text from %v to %v", l[0].X, l[1].X, l[1].X+l[1].Width())
	}
	if q := a.TextViews[3].Set; q.Shapes[0].X < q.Lines[0].X+q.Lines[0].Width() {
		t.Errorf("the bar of the quote is at %v", q.Shapes[0].X)
	}
}
