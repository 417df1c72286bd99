package samples

import (
	"unicode/utf8"

	"goated/ui/markdown"
)

// Misplaced returns a line of a text's layout that is outside the height of the layout, or
// extends beyond the text.
func Misplaced(text string, set markdown.Layout) (l markdown.Line, found bool) {
	n := utf8.RuneCountInString(text)
	for _, l := range set.Lines {
		if l.At+l.End > n || l.Y < 0 || l.Y+l.Leading > set.Height+0.5 {
			return l, true
		}
	}
	return l, false
}
