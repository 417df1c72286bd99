package format

import (
	"fmt"
	"time"
)

// Ago returns how long ago t was, in a few letters. It returns "" for the zero time.
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

// LongAgo returns how long ago t was, in words for a sentence.
func LongAgo(t, now time.Time) string {
	switch short := Ago(t, now); {
	case short == "now":
		return "just now"
	case now.Sub(t) < 7*24*time.Hour:
		return short + " ago"
	default:
		return "on " + short
	}
}
