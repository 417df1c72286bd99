package viewer

import (
	"fmt"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/view/format"
)

// Find puts the focus where one says what to look for.
func (v *Viewer) Find() {
	kit.Focus(v.Query)
	v.Query.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// search looks for what is typed, on another goroutine.
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
			// The first that is in sight or below it: the reader stays where he is.
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

// Walk goes to another match, round and round.
func (v *Viewer) Walk(by int) {
	if n := len(v.Matches); n > 0 {
		v.Match = (v.Match + by + n) % n
		v.tally()
		v.turnTo()
	}
}

// turnTo brings the match into sight.
func (v *Viewer) turnTo() {
	if v.Lines != nil && v.Match < len(v.Matches) {
		v.Rows.Reveal(v.Lines.At(v.Matches[v.Match].Start))
	}
	v.Rows.Renew()
}

// tally says how many matches there are, and which of them is shown.
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
