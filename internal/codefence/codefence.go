// Package codefence finds the fence of a block of code in Markdown. It must not know what is in the block, or who
// reads it.
package codefence

import "strings"

// For returns the fence for a text: at least three backticks, and more than the text has in a row.
func For(text string) string {
	longest, now := 2, 0
	for i := range len(text) {
		if text[i] != '`' {
			now = 0
			continue
		}
		now++
		longest = max(longest, now)
	}
	return strings.Repeat("`", longest+1)
}
