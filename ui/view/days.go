package view

import (
	"time"

	"goated/ui/say"
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
		return say.S("Today")
	case !t.Before(d.yesterday):
		return say.S("Yesterday")
	case !t.Before(d.week):
		return say.S("Previous 7 days")
	case !t.Before(d.month):
		return say.S("Previous 30 days")
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
func Month(t time.Time) string { return say.S("%s %d", month(t.Month()), t.Year()) }

// month is the name of one, also where it stands beside a year.
func month(m time.Month) string {
	return [...]string{
		say.S("January"), say.S("February"), say.S("March"), say.S("April"), say.S("May"), say.S("June"), say.S("July"),
		say.S("August"), say.S("September"), say.S("October"), say.S("November"), say.S("December"),
	}[m-time.January]
}

// shortMonth is that in three letters or so.
func shortMonth(m time.Month) string {
	return [...]string{
		say.S("Jan"), say.S("Feb"), say.S("Mar"), say.S("Apr"), say.S("May"), say.S("Jun"), say.S("Jul"),
		say.S("Aug"), say.S("Sep"), say.S("Oct"), say.S("Nov"), say.S("Dec"),
	}[m-time.January]
}
