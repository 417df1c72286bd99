package format

import (
	"fmt"
	"time"
)

// Days names past days for the sections of a list. A Days is valid until midnight.
type Days struct {
	today, yesterday, week, month time.Time // when each period begins
}

// DaysAt returns the Days for now, in the time zone of now.
func DaysAt(now time.Time) Days {
	y, m, d := now.Date()
	back := func(days int) time.Time { return time.Date(y, m, d-days, 0, 0, 0, 0, now.Location()) }
	return Days{today: back(0), yesterday: back(1), week: back(7), month: back(30)}
}

// Name returns a name for the day of t, such as Yesterday or March 2025. A time in the future
// counts as today, because the clock was wrong then.
func (d Days) Name(t time.Time) string {
	switch {
	case !t.Before(d.today):
		return "Today"
	case !t.Before(d.yesterday):
		return "Yesterday"
	case !t.Before(d.week):
		return "Previous 7 days"
	case !t.Before(d.month):
		return "Previous 30 days"
	}
	t = t.In(d.today.Location())
	if t.Year() == d.today.Year() {
		return month(t.Month())
	}
	return Month(t)
}

// Until returns the next midnight, when the names change.
func (d Days) Until() time.Time { return d.today.AddDate(0, 0, 1) }

// Month returns a month with its year, for example "March 2025".
func Month(t time.Time) string { return fmt.Sprintf("%s %d", month(t.Month()), t.Year()) }

// month returns the English name of a month.
func month(m time.Month) string {
	return [...]string{
		"January", "February", "March", "April", "May", "June", "July",
		"August", "September", "October", "November", "December",
	}[m-time.January]
}

// shortMonth returns the three-letter name of a month.
func shortMonth(m time.Month) string {
	return [...]string{
		"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul",
		"Aug", "Sep", "Oct", "Nov", "Dec",
	}[m-time.January]
}
