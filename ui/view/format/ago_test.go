package format

import (
	"testing"
	"time"
)

func TestAgo(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for want, at := range map[string]time.Time{
		"":         {},
		"now":      now.Add(-30 * time.Second),
		"2m":       now.Add(-2 * time.Minute),
		"3h":       now.Add(-3 * time.Hour),
		"6d":       now.AddDate(0, 0, -6),
		"1 Nov":    now.AddDate(0, 0, -20),
		"Nov 2025": now.AddDate(-1, 0, 0),
	} {
		if got := Ago(at, now); got != want {
			t.Errorf("%v is %q, not %q", at, got, want)
		}
	}
}
