// Package codefence finds the fence for a code block in Markdown. It must not know the contents of
// the block, or who reads it.
package codefence

import "strings"

// Fence returns the fence for a text: at least three backticks, and more than the text has in any
// row.
func Fence(text string) string {
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
