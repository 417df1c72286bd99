package ui

import (
	"fmt"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/view"
)

// find puts the focus where one says what to look for.
func (v *viewer) find() {
	kit.Focus(v.query)
	v.query.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// search looks for what is typed, on another goroutine.
func (v *viewer) search() {
	if v.lines == nil {
		v.read()
		return
	}
	v.job++
	job, text, query := v.job, v.lines.Text, v.query.Text
	v.work.Run(func() func() {
		matches := view.Find(text, query)
		return func() {
			if job != v.job {
				return
			}
			v.matches, v.match = matches, 0
			// The first that is in sight or below it: the reader stays where he is.
			if top := int(v.rows.Offset / viewerLine); top < v.lines.Len() {
				start, _ := v.lines.Span(top)
				for i, m := range matches {
					if m.Start >= start {
						v.match = i
						break
					}
				}
			}
			v.tally()
			v.turnTo()
		}
	})
}

// walk goes to another match, round and round.
func (v *viewer) walk(by int) {
	if n := len(v.matches); n > 0 {
		v.match = (v.match + by + n) % n
		v.tally()
		v.turnTo()
	}
}

// turnTo brings the match into sight.
func (v *viewer) turnTo() {
	if v.lines != nil && v.match < len(v.matches) {
		v.rows.Reveal(v.lines.At(v.matches[v.match].Start))
	}
	v.rows.Renew()
}

// tally says how many matches there are, and which of them is shown.
func (v *viewer) tally() {
	switch n := len(v.matches); {
	case v.query.Text == "":
		v.found.Set("")
	case n == 0:
		v.found.Set("Not found")
	default:
		v.found.Set(fmt.Sprintf("%s of %s", view.Count(v.match+1), view.Count(n)))
	}
	v.Refit()
}
