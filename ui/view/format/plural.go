// Package format formats numbers, sizes and long text as short English for the screen and the
// terminal. It has no side effects, and depends on neither conversations nor servers.
package format

import (
	"fmt"
	"strings"
)

// Plural formats a sentence about n things with the format one if n is 1, and other otherwise. n
// is the first argument of the format. A format without a number refers to later arguments by
// index, as in "the file in %[2]s".
func Plural(n int, one, other string, args ...any) string {
	form := other
	if n == 1 {
		form = one
	}
	if !strings.Contains(form, "%") {
		return form // fmt would complain about the unused n
	}
	if !strings.Contains(form, "%[") {
		return fmt.Sprintf(form, n) // fmt would complain about the unused args
	}
	return fmt.Sprintf(form, append([]any{n}, args...)...)
}
