package view

import (
	"fmt"
	"time"
)

// Days names the days of the past as a list is divided by them. It is made for
// one moment; the names change at midnight.
type Days struct {
	today, yesterday, week, month time.Time // where each begins
}

// DaysAt are the days as seen at a moment, where the clock on the wall says now.
func DaysAt(now time.Time) Days {
	y, m, d := now.Date()
	back := func(days int) time.Time { return time.Date(y, m, d-days, 0, 0, 0, 0, now.Location()) }
	return Days{today: back(0), yesterday: back(1), week: back(7), month: back(30)}
}

// Of names the day of a time, such as Yesterday or March 2025. What has not come
// yet, by a clock that was wrong, is today.
func (d Days) Of(t time.Time) string {
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

// Until is how long these names hold.
func (d Days) Until() time.Time { return d.today.AddDate(0, 0, 1) }

// Month is such as March 2025.
func Month(t time.Time) string { return fmt.Sprintf("%s %d", month(t.Month()), t.Year()) }

// month is the name of one, also where it stands beside a year.
func month(m time.Month) string {
	return [...]string{
		"January", "February", "March", "April", "May", "June", "July",
		"August", "September", "October", "November", "December",
	}[m-time.January]
}

// shortMonth is that in three letters or so.
func shortMonth(m time.Month) string {
	return [...]string{
		"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul",
		"Aug", "Sep", "Oct", "Nov", "Dec",
	}[m-time.January]
}
