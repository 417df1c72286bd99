package fields

import (
	"fmt"
	"strings"
	"time"
)

// The formats in which a user may enter a date, a time, or both.
const (
	DateForm   = "2006-01-02"
	timeForm   = "15:04:05"
	momentForm = "2006-01-02 15:04"
)

// moment parses a date, a time, or both, and returns it in the schema's RFC 3339 format. A time
// without a time zone is in the user's time zone.
func (f Field) moment(input string) (any, bool, error) {
	text := strings.TrimSpace(input)
	switch f.Kind {
	case Date:
		if _, err := time.Parse(DateForm, text); err != nil {
			return nil, false, fmt.Errorf("%s must be a date like 2026-03-31", f.Label)
		}
		return text, true, nil
	case Time:
		for _, form := range []string{timeForm, "15:04"} {
			if t, err := time.Parse(form, text); err == nil {
				return t.Format(timeForm), true, nil // without an offset, because few servers want the one of RFC 3339
			}
			if _, err := time.Parse(form+"Z07:00", text); err == nil {
				return text, true, nil
			}
		}
		return nil, false, fmt.Errorf("%s must be a time like 14:30", f.Label)
	}
	if _, err := time.Parse(time.RFC3339, strings.ToUpper(text)); err == nil {
		return strings.ToUpper(text), true, nil
	}
	for _, form := range []string{momentForm, "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02T15:04:05", DateForm} {
		if t, err := time.ParseInLocation(form, text, time.Local); err == nil {
			return t.Format(time.RFC3339), true, nil
		}
	}
	return nil, false, fmt.Errorf("%s must be a date and a time like 2026-03-31 14:30", f.Label)
}

// WithDay returns the text of a Date or a Moment with another day and the same time.
func (f Field) WithDay(day time.Time, text string) string {
	date := day.Format(DateForm)
	if f.Kind == Date {
		return date
	}
	if text = strings.TrimSpace(text); len(text) > len(DateForm) {
		return date + text[len(DateForm):]
	}
	return date + " 12:00"
}

// Day returns the day in an entered text, or false if there is none.
func Day(text string) (time.Time, bool) {
	text = strings.TrimSpace(text)
	t, err := time.Parse(DateForm, text[:min(len(text), len(DateForm))])
	return t, err == nil
}
