// Package attachedfile defines how a model receives a text file that the user attaches to a
// message: its name, and its content between fences.
//
// It has no state. It must not know where a file comes from, or which other files a model accepts.
package attachedfile

import (
	"fmt"
	"strconv"
	"strings"

	"goated/internal/codefence"
)

const (
	begin      = "Attached file "
	shortFence = "```"
)

// Format returns a file as the model receives it. The fences are longer than any fence in the
// content.
func Format(name, content string) string {
	fence := codefence.Fence(content)
	return fmt.Sprintf(begin+"%q:\n%s\n%s\n%s", name, fence, strings.TrimSuffix(content, "\n"), fence)
}

// Parse returns the name and the content of the file that [Format] wrote into text. ok is false for
// any other text. content shares memory with text.
func Parse(text string) (name, content string, ok bool) {
	name, content, ok = cut(text)
	at := strings.LastIndexByte(content, '\n')
	return name, content[:max(at, 0)], ok && at >= 0
}

// Is reports whether text begins like a result of [Format]. The end may be missing, because a
// shortened text is still a file.
func Is(text string) bool {
	_, _, ok := cut(text)
	return ok
}

// cut returns the name of a file, and the text after its first fence.
func cut(text string) (name, content string, ok bool) {
	rest, _ := strings.CutPrefix(text, begin)
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil || len(rest) == len(text) {
		return "", "", false
	}
	name, err = strconv.Unquote(quoted)
	rest, fenced := strings.CutPrefix(rest[len(quoted):], ":\n"+shortFence)
	_, content, ended := strings.Cut(rest, "\n")
	return name, content, err == nil && fenced && ended
}
