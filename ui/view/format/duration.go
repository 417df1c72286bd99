package format

import (
	"fmt"
	"time"
)

// Duration formats how long something took, for example "1.2 s". It returns "" if d is not
// positive.
func Duration(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < time.Millisecond:
		return "<1 ms"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 9950*time.Millisecond: // a longer one rounds to 10 s
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d.Round(time.Second) < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	d = max(d, time.Minute)
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}
