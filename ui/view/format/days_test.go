package format

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestDaysHaveNames(t *testing.T) {
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Skip("there are no time zones here")
	}
	// The clocks went back on 25 October, so that day has 25 hours.
	now := time.Date(2026, 10, 26, 0, 30, 0, 0, lisbon)
	days := DaysAt(now)
	for at, want := range map[time.Time]string{
		now:                      "Today",
		now.Add(time.Hour * 100): "Today",
		time.Date(2026, 10, 26, 0, 0, 0, 0, lisbon):    "Today",
		time.Date(2026, 10, 25, 23, 59, 59, 0, lisbon): "Yesterday",
		time.Date(2026, 10, 25, 0, 0, 0, 0, lisbon):    "Yesterday",
		time.Date(2026, 10, 24, 23, 59, 0, 0, lisbon):  "Previous 7 days",
		time.Date(2026, 10, 19, 0, 0, 0, 0, lisbon):    "Previous 7 days",
		time.Date(2026, 10, 18, 23, 59, 0, 0, lisbon):  "Previous 30 days",
		time.Date(2026, 9, 26, 0, 0, 0, 0, lisbon):     "Previous 30 days",
		time.Date(2026, 9, 25, 23, 59, 0, 0, lisbon):   "September",
		time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC):    "January",
		time.Date(2025, 12, 31, 23, 59, 0, 0, lisbon):  "December 2025",
		time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC):   "March 2025",
	} {
		if got := days.Name(at); got != want {
			t.Errorf("%s is in %q, not %q", at, got, want)
		}
	}
	if got := days.Until(); !got.Equal(time.Date(2026, 10, 27, 0, 0, 0, 0, lisbon)) {
		t.Errorf("they hold until %s", got)
	}
}

// An earlier day is never in a later group, no matter how long ago it is. So each name occurs
// once in a list that is sorted by time.
func TestDaysAreInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "now"), 0).UTC()
		days := DaysAt(now)
		seen := map[string]bool{}
		last := ""
		at := now
		for range 40 {
			name := days.Name(at)
			if name != last && seen[name] {
				t.Fatalf("%q comes again at %s, as seen at %s", name, at, now)
			}
			seen[name], last = true, name
			at = at.Add(-time.Duration(rapid.Int64Range(0, 40*24*3600).Draw(t, "before")) * time.Second)
		}
	})
}
