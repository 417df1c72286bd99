package screentest

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// Word returns the position on the canvas where a word of a text begins, at the middle height
// of its line. The word must lie in a single run of the text, which has one style. If several
// texts equal text, the last drawn one counts.
func (rd *Reader) Word(text, word string) fyne.Position {
	rd.T.Helper()
	return rd.word(text, word, 0)
}

// WordEnd returns the position on the canvas where a word of a text ends.
func (rd *Reader) WordEnd(text, word string) fyne.Position {
	rd.T.Helper()
	return rd.word(text, word, len(word))
}

func (tr *tree) word(text, word string, n int) fyne.Position {
	tr.T.Helper()
	var block, run *node
	offset, found := 0, false
	tr.visit(tr.layer(), false, func(o *node) bool {
		if is(text)(o) {
			if _, plain := o.object.(*canvas.Text); !plain {
				block, found = o, false
			}
		}
		t, ok := o.object.(*canvas.Text)
		if !ok || block == nil || found || !inside(o, block) {
			return true
		}
		if i := strings.Index(t.Text, word); i >= 0 {
			run, offset, found = o, i+n, true
		}
		return true
	})
	if run == nil {
		tr.T.Fatalf("%q does not show %q; the screen shows %q", text, word, tr.Texts())
	}
	t := run.object.(*canvas.Text)
	size, _ := fyne.CurrentApp().Driver().RenderedTextSize(t.Text[:offset], t.TextSize, t.TextStyle, t.FontSource)
	if n > 0 {
		size.Width-- // Fyne rounds up
	}
	return run.box.at.AddXY(size.Width, run.box.size.Height/2)
}

// inside reports whether a node is part of another.
func inside(n, of *node) bool {
	for up := n; up != nil; up = up.up {
		if up.object == of.object {
			return true
		}
	}
	return false
}
