package viewer

import (
	"fmt"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/view/format"
)

// Find focuses the query and selects its text. A picture has no query.
func (v *Viewer) Find() {
	if v.Query == nil {
		return
	}
	kit.Focus(v.Query)
	v.Query.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// search searches the text for the query, off the UI goroutine.
func (v *Viewer) search() {
	if v.Lines == nil {
		v.read()
		return
	}
	v.job++
	job, text, query := v.job, v.Lines.Text, v.Query.Text
	v.work.Run(func() func() {
		matches := view.Find(text, query)
		return func() {
			if job != v.job {
				return
			}
			v.found = found{matches: matches}
			// Select the first match at or below the top of the viewport, so that
			// the text does not jump back.
			if top := int(v.Rows.Offset / lineHeight); top < v.Lines.Len() {
				start, _ := v.Lines.Span(top)
				for i, m := range matches {
					if m.Start >= start {
						v.found.at = i
						break
					}
				}
			}
			v.showCount()
			v.showMatch()
		}
	})
}

// Step moves forward by a number of matches and wraps around at either end.
func (v *Viewer) Step(by int) {
	if n := len(v.found.matches); n > 0 {
		v.found.at = (v.found.at + by + n) % n
		v.showCount()
		v.showMatch()
	}
}

// showMatch scrolls the current match into view.
func (v *Viewer) showMatch() {
	if v.Lines != nil && v.found.at < len(v.found.matches) {
		v.Rows.Reveal(v.Lines.At(v.found.matches[v.found.at].Start))
	}
	v.Rows.Redraw()
}

// showCount shows the number of matches and the position of the current one.
func (v *Viewer) showCount() {
	switch n := len(v.found.matches); {
	case v.Query.Text == "":
		v.status.count.Set("")
	case n == 0:
		v.status.count.Set("Not found")
	default:
		v.status.count.Set(fmt.Sprintf("%s of %s", format.Count(v.found.at+1), format.Count(n)))
	}
	v.Refit()
}
