package exact

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Equal compares values that [Decode] returned. It compares numbers by value, because a server may
// write 1.0 in one place and 1 in another.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		m, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, m, Equal)
	case []any:
		list, ok := b.([]any)
		return ok && slices.EqualFunc(a, list, Equal)
	case json.Number:
		n, ok := b.(json.Number)
		return ok && (a == n || decimal(string(a)) == decimal(string(n)))
	}
	if _, nested := b.([]any); nested {
		return false
	}
	if _, nested := b.(map[string]any); nested {
		return false
	}
	return a == b
}

// decimal normalizes a JSON number without losing digits.
func decimal(number string) string {
	digits, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	e, err := strconv.Atoi(cmp.Or(exponent, "0"))
	if err != nil {
		return number // the exponent is absurdly large
	}
	digits, negative := strings.CutPrefix(digits, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	short := strings.TrimRight(digits, "0")
	if short == "" {
		return "0"
	}
	return fmt.Sprintf("%t %se%d", negative, short, e-len(fraction)+len(digits)-len(short))
}
