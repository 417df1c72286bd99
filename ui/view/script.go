package view

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"
)

// ScriptPath is the path that a person means by what was typed, pasted or
// dropped: without the quotes and the file:// that others put around it, and
// with ~ for the home folder.
func ScriptPath(text, home string) string {
	path := strings.TrimSpace(text)
	for _, quote := range []string{`"`, `'`} {
		if len(path) > 1 && strings.HasPrefix(path, quote) && strings.HasSuffix(path, quote) {
			path = path[1 : len(path)-1]
		}
	}
	if rest, ok := strings.CutPrefix(path, "file://"); ok {
		if plain, err := url.PathUnescape(rest); err == nil {
			path = plain
		}
	}
	if rest, ok := strings.CutPrefix(path, "~"); ok && home != "" && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) {
		path = home + rest
	}
	return path
}

// Ago says how long something is past, in the width of a few letters.
func Ago(t, now time.Time) string {
	switch d := now.Sub(t); {
	case t.IsZero():
		return ""
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	case d < 7*24*time.Hour:
		return fmt.Sprintf("%dd", int(d.Hours()/24))
	case t.Year() == now.Year():
		return fmt.Sprintf("%d %s", t.Day(), shortMonth(t.Month()))
	}
	return fmt.Sprintf("%s %d", shortMonth(t.Month()), t.Year())
}
