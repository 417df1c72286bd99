// Package attachedfile is the form in which a model receives a text file that the user
// attaches to a message: its name, and its content between fences.
//
// It has no state. It must not know where a file comes from, or what other files a model takes.
package attachedfile

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	begin     = "Attached file "
	fenceSign = "`"
	fence     = "```"
)

// Format returns a file as the model receives it. The fences are longer than any in the content.
func Format(name, content string) string {
	fence := fence
	for strings.Contains(content, fence) {
		fence += fenceSign
	}
	return fmt.Sprintf(begin+"%q:\n%s\n%s\n%s", name, fence, strings.TrimSuffix(content, "\n"), fence)
}

// Parse returns the name of the file that [Format] wrote into text, and the size of its
// content in bytes. ok is false for any other text.
func Parse(text string) (name string, size int, ok bool) {
	rest, ok := strings.CutPrefix(text, begin)
	if !ok {
		return "", 0, false
	}
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return "", 0, false
	}
	name, err = strconv.Unquote(quoted)
	body, fenced := strings.CutPrefix(rest[len(quoted):], ":\n"+fence)
	if err != nil || !fenced {
		return "", 0, false
	}
	_, body, _ = strings.Cut(body, "\n")
	at := strings.LastIndexByte(body, '\n')
	return name, max(at, 0), at >= 0
}

// Is reports whether [Format] wrote text.
func Is(text string) bool {
	_, _, ok := Parse(text)
	return ok
}
