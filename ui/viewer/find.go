package viewer

import (
	"fmt"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/view/format"
)

// Find focuses the query and selects its text.
func (v *Viewer) Find() {
	kit.Focus(v.Query)
	v.Query.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// search finds the query in the text, off the UI goroutine.
func (v *Viewer) search() {
	if v.Lines == nil {
		v.read()
		return
	}
	v.Job++
	job, text, query := v.Job, v.Lines.Text, v.Query.Text
	v.work.Run(func() func() {
		matches := view.Find(text, query)
		return func() {
			if job != v.Job {
				return
			}
			v.Matches, v.Match = matches, 0
			// Select the first match at or below the top of the viewport, so that
			// the text does not jump back.
			if top := int(v.Rows.Offset / lineHeight); top < v.Lines.Len() {
				start, _ := v.Lines.Span(top)
				for i, m := range matches {
					if m.Start >= start {
						v.Match = i
						break
					}
				}
			}
			v.tally()
			v.turnTo()
		}
	})
}

// Walk moves by matches and wraps around at either end.
func (v *Viewer) Walk(by int) {
	if n := len(v.Matches); n > 0 {
		v.Match = (v.Match + by + n) % n
		v.tally()
		v.turnTo()
	}
}

// turnTo scrolls the current match into view.
func (v *Viewer) turnTo() {
	if v.Lines != nil && v.Match < len(v.Matches) {
		v.Rows.Reveal(v.Lines.At(v.Matches[v.Match].Start))
	}
	v.Rows.Renew()
}

// tally shows the number of matches and the position of the current one.
func (v *Viewer) tally() {
	switch n := len(v.Matches); {
	case v.Query.Text == "":
		v.Found.Set("")
	case n == 0:
		v.Found.Set("Not found")
	default:
		v.Found.Set(fmt.Sprintf("%s of %s", format.Count(v.Match+1), format.Count(n)))
	}
	v.Refit()
}
