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
