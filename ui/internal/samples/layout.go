package samples

import (
	"unicode/utf8"

	"goated/ui/markdown"
)

// Misplaced returns a line of the layout of a text that lies outside of its height or goes beyond the
// text.
func Misplaced(text string, set markdown.Layout) (l markdown.Line, found bool) {
	n := utf8.RuneCountInString(text)
	for _, l := range set.Lines {
		if l.At+l.End > n || l.Y < 0 || l.Y+l.Leading > set.Height+0.5 {
			return l, true
		}
	}
	return l, false
}
