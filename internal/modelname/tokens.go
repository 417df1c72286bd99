package modelname

import (
	"fmt"
	"strings"
)

// Tokens formats the size of a context, such as "1M" or "40k". It returns "" if the size is
// unknown.
func Tokens(n int) string {
	switch {
	case n <= 0:
		return ""
	case n >= 1_000_000:
		return trimmed(float64(n)/1e6) + "M"
	case n >= 1000:
		// Sizes are powers of two, so 131072 is called 128k.
		if n%1024 == 0 {
			return fmt.Sprintf("%dk", n/1024)
		}
		return fmt.Sprintf("%dk", (n+500)/1000)
	}
	return fmt.Sprint(n)
}

func trimmed(f float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", f), ".0") }
