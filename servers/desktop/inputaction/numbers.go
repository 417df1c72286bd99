package inputaction

import (
	"math"
	"time"

	"goated/servers/desktop/fault"
)

// longest is the maximum duration of one input.
const longest = 5 * time.Minute

// Seconds converts a number of seconds to a duration. what names it in errors, such as "a timeout".
func Seconds(what string, v float64) (time.Duration, error) {
	if math.IsNaN(v) || v < 0 || v > longest.Seconds() {
		return 0, fault.Invalid("%s of %v seconds: it is between 0 and %v", what, v, longest.Seconds())
	}
	return time.Duration(v * float64(time.Second)), nil
}

const (
	waitDefault  = 30 * time.Second
	waitInterval = 500 * time.Millisecond
)

// Wait converts the timeout and the poll interval of a wait, which are numbers of seconds. 0 means the
// default. The interval is at least least.
func Wait(timeout, poll float64, least time.Duration) (limit, every time.Duration, err error) {
	if math.IsNaN(timeout) || timeout < 0 || timeout > time.Hour.Seconds() {
		return 0, 0, fault.Invalid("a timeout of %v seconds: it is between 0 and %v", timeout, time.Hour.Seconds())
	}
	limit, every = time.Duration(timeout*float64(time.Second)), waitInterval
	if limit == 0 {
		limit = waitDefault
	}
	if poll != 0 {
		if every, err = Seconds("a poll_interval", poll); err != nil {
			return 0, 0, err
		}
	}
	return limit, max(every, least), nil
}

// Pixels converts numbers to coordinates. NaN and infinities are invalid.
func Pixels(values ...float64) ([]int, error) {
	out := make([]int, len(values))
	for i, v := range values {
		if math.IsNaN(v) || math.Abs(v) > math.MaxInt16 {
			return nil, fault.Invalid("%v is not a coordinate of a screen", v)
		}
		out[i] = int(math.Round(v))
	}
	return out, nil
}
