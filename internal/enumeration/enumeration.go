// Package enumeration formats a list as part of an English sentence: "git, time and sqlite".
//
// It has no state. It must not know what the things are, or who reads the sentence.
package enumeration

import (
	"fmt"
	"strings"
)

// And joins things with "and": "git, time and sqlite".
func And[T any](things []T) string { return join(things, " and ") }

// Or joins alternatives with "or": "open, list or get".
func Or[T any](things []T) string { return join(things, " or ") }

func join[T any](things []T, last string) string {
	var b strings.Builder
	for i, thing := range things {
		switch {
		case i > 0 && i == len(things)-1:
			b.WriteString(last)
		case i > 0:
			b.WriteString(", ")
		}
		fmt.Fprint(&b, thing)
	}
	return b.String()
}
