package contents

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"goated/internal/codefence"
	"goated/internal/lazyregexp"
)

// Stored returns the beginning of a large result with a note for the model. The note contains the
// size of the result, its ID, and how an argument refers to it.
func Stored(beginning string, end, all int, id, reference string) string {
	return fmt.Sprintf("%s\n[The result goes on: these are the first %d of %d bytes. Its id is %s. Read more with read_result, search it with search_result, "+
		"or pass all of it to another tool by writing %q as the whole value of an argument.]", beginning, end, all, id, reference)
}

// Shortened returns the beginning of a result with a note about its whole size for the model.
func Shortened(beginning string, end, all int) string {
	return fmt.Sprintf("%s\n[cut: the first %d of %d bytes]", beginning, end, all)
}

// noteAtEnd matches the notes of [Stored] and [Shortened] at the end of a result.
var noteAtEnd = lazyregexp.New(`\n\[(?:The result goes on: these are|cut:) the first (\d+) of (\d+) bytes[^\n]*\]$`)

// withoutNote removes the note of [Stored] or [Shortened] from a result. all is the size of the whole
// result in bytes.
func withoutNote(text string) (beginning string, all int) {
	m := noteAtEnd.FindStringSubmatchIndex(text)
	if m == nil {
		return text, len(text)
	}
	all, err := strconv.Atoi(text[m[4]:m[5]])
	if end := text[m[2]:m[3]]; err != nil || end != strconv.Itoa(m[0]) && utf8.ValidString(text[:m[0]]) && !strings.Contains(text[:m[0]], "\uFFFD") {
		return text, len(text) // the tool itself wrote this note
	}
	return text[:m[0]], all
}

// maxReport limits how much of a result is shown below its card, in bytes.
const maxReport = 2000

// storedNote matches the whole note of [Stored]. Other notes may follow it.
var storedNote = lazyregexp.New(`(?m)\n\[The result goes on: these are the first (\d+) of \d+ bytes\. Its id is \S{1,100}\. Read more with read_result, search it with search_result, ` +
	`or pass all of it to another tool by writing "\S{1,200}" as the whole value of an argument\.\]$`)

// StoredNote returns the note of [Stored] in a result, or "" if it has none. It ignores a quoted note
// of another result, whose byte count does not match its position.
func StoredNote(text string) string {
	for _, m := range storedNote.FindAllStringSubmatchIndex(text, -1) {
		if text[m[2]:m[3]] == strconv.Itoa(m[0]) || strings.Contains(text[:m[0]], "\uFFFD") {
			return text[m[0]+1 : m[1]]
		}
	}
	return ""
}

// excerpt returns the beginning of a text and a note about the rest. all is the size of the whole
// result.
func excerpt(text string, all int) (beginning, note string) {
	end := len(text)
	if end > maxReport {
		end = maxReport
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
	} else if all <= maxReport {
		return text, ""
	}
	return text[:end], fmt.Sprintf("\n… (%d bytes in total; the result of the call has the rest)", all)
}

// markdownExtensions lists the extensions of files whose text is shown as Markdown rather than as code.
var markdownExtensions = map[string]bool{"md": true, "markdown": true, "txt": true, "rst": true, "text": true}

// asMarkdown returns the text of a file with the given extension as Markdown. Text that is not prose
// becomes a code block, which keeps its lines, spaces and special characters.
func asMarkdown(text, ending string) string {
	text, all := withoutNote(text)
	text, note := excerpt(strings.Trim(text, "\r\n"), all)
	if markdownExtensions[ending] {
		return brokenLines(text) + note
	}
	return fenced(text, ending) + note
}

// fenced returns text as a Markdown code block.
func fenced(text, language string) string {
	fence := codefence.Fence(text)
	return fence + language + "\n" + text + "\n" + fence
}
