// Package format writes numbers, sizes and long text as short English for the
// screen and the terminal. It is pure, and knows neither a conversation nor a
// server.
package format

import (
	"fmt"
	"strings"
)

// Plural formats a sentence about n things: one if n is 1, other if not. n is
// the first argument of the format; a form without a number uses the arguments
// after it by index, as in "the file in %[2]s".
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
