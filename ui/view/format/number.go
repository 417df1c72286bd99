package format

import (
	"fmt"
	"strconv"
)

// Count writes a number. Digits are grouped from 10,000 on.
func Count(n int) string {
	if n < 10000 {
		return strconv.Itoa(n)
	}
	return Grouped(n)
}

// Grouped writes a number with its digits in groups of three: 1,204.
func Grouped(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return Grouped(n/1000) + fmt.Sprintf(",%03d", n%1000)
}

// Size writes a number of bytes: 12.3 kB.
func Size(n int64) string {
	switch {
	case n < 1000:
		return Plural(int(n), "%d byte", "%d bytes")
	case n < 1000*1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
