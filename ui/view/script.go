package view

import (
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"goated/ui/say"
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
		return say.S("now")
	case d < time.Hour:
		return say.S("%dm", int(d.Minutes()))
	case d < 24*time.Hour:
		return say.S("%dh", int(d.Hours()))
	case d < 7*24*time.Hour:
		return say.S("%dd", int(d.Hours()/24))
	case t.Year() == now.Year():
		return say.S("%d %s", t.Day(), shortMonth(t.Month()))
	}
	return say.S("%s %d", shortMonth(t.Month()), t.Year())
}
