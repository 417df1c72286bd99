package view

import (
	"fmt"
	"strings"

	"goated/ui/view/format"
)

// These limit how much of a text a card shows, because more would block the window. The viewer
// shows all of it.
const (
	CardBytes = 16 << 10
	CardLines = 200
)

// A message of the user folds if it exceeds the first limits. A folded message shows much less,
// so that unfolding it is worth a press.
const (
	foldBytes, foldLines     = 2400, 24
	foldedBytes, foldedLines = 1200, 12
)

// Fold returns the part of a text that a folded message shows, and whether the text is long
// enough to fold.
func Fold(text string) (shown string, long bool) {
	if len(text) <= foldBytes && strings.Count(text, "\n") < foldLines {
		return text, false
	}
	shown, _ = Clip(text, foldedBytes, foldedLines)
	return strings.TrimRight(shown, "\n"), true
}

// Clip limits text to an amount that the window draws without a pause. It cuts between lines if
// possible. The note describes how much is shown; it is empty if nothing was cut.
func Clip(text string, bytes, lines int) (shown, note string) {
	total := strings.Count(text, "\n") + 1
	shown = text
	if total > lines {
		at := 0
		for range lines {
			at += strings.IndexByte(text[at:], '\n') + 1
		}
		shown = text[:at-1]
	}
	if len(shown) > bytes {
		shown = strings.ToValidUTF8(shown[:bytes], "")
		if at := strings.LastIndexByte(shown, '\n'); at > bytes/2 {
			shown = shown[:at]
		}
	}
	if len(shown) == len(text) {
		return text, ""
	}
	if n := strings.Count(shown, "\n") + 1; n > 1 {
		return shown, format.Plural(total, "Showing the first %[2]s of %[3]s line (%[4]s of %[5]s)", "Showing the first %[2]s of %[3]s lines (%[4]s of %[5]s)",
			format.Count(n), format.Count(total), format.Size(int64(len(shown))), format.Size(int64(len(text))))
	}
	return shown, fmt.Sprintf("Showing the first %s of %s", format.Size(int64(len(shown))), format.Size(int64(len(text))))
}
