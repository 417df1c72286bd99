package format

import (
	"fmt"
	"strconv"
)

// Count formats a number. It groups the digits from 10,000 on.
func Count(n int) string {
	if n < 10000 {
		return strconv.Itoa(n)
	}
	return Grouped(n)
}

// Grouped formats a number with its digits in groups of three, for example "1,204".
func Grouped(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return Grouped(n/1000) + fmt.Sprintf(",%03d", n%1000)
}

// Short formats a number in at most four characters, for example 950, 3.1k, 65k or 1.2M.
func Short(n int) string {
	unit := ""
	v := float64(n)
	for _, next := range []string{"k", "M"} {
		if v < 999.5 {
			break
		}
		v, unit = v/1000, next
	}
	if unit != "" && v < 9.95 {
		return fmt.Sprintf("%.1f%s", v, unit)
	}
	return fmt.Sprintf("%.0f%s", v, unit)
}

// Size formats a number of bytes, for example "12.3 kB".
func Size(n int64) string {
	switch {
	case n < 1000:
		return Plural(int(n), "%d byte", "%d bytes")
	case n < 999_950: // a larger number rounds to 1.0 MB
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
