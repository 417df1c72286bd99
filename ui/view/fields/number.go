package fields

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// A limit is a bound of a number.
type limit struct {
	value   *big.Rat
	written string
}

// limitOf parses a limit of a schema. It returns nil if there is none.
func limitOf(v any) *limit {
	n, ok := v.(json.Number)
	if !ok {
		return nil
	}
	value, ok := rational(n.String())
	if !ok {
		return nil
	}
	return &limit{value, n.String()}
}

// A Range is the range of a number. The zero value has no bounds.
type Range struct {
	minimum, maximum *limit
	above, below     *limit // exclusive
	multiple         *limit
}

func rangeOf(p map[string]any) Range {
	r := Range{limitOf(p["minimum"]), limitOf(p["maximum"]), limitOf(p["exclusiveMinimum"]), limitOf(p["exclusiveMaximum"]), limitOf(p["multipleOf"])}
	if r.multiple != nil && r.multiple.value.Sign() <= 0 {
		r.multiple = nil
	}
	// In draft 4, these keywords are booleans that make the other limit exclusive.
	if p["exclusiveMinimum"] == true {
		r.minimum, r.above = nil, r.minimum
	}
	if p["exclusiveMaximum"] == true {
		r.maximum, r.below = nil, r.maximum
	}
	return r
}

// check returns what a number must be, as the end of a sentence, or "" if it is in the range.
func (r Range) check(n *big.Rat) string {
	switch {
	case r.minimum != nil && n.Cmp(r.minimum.value) < 0:
		return "at least " + r.minimum.written
	case r.maximum != nil && n.Cmp(r.maximum.value) > 0:
		return "at most " + r.maximum.written
	case r.above != nil && n.Cmp(r.above.value) <= 0:
		return "more than " + r.above.written
	case r.below != nil && n.Cmp(r.below.value) >= 0:
		return "less than " + r.below.written
	case r.multiple != nil && !new(big.Rat).Quo(n, r.multiple.value).IsInt():
		return "a multiple of " + r.multiple.written
	}
	return ""
}

// String describes the range in words. It returns "" if there are no bounds.
func (r Range) String() string {
	var parts []string
	switch {
	case r.minimum != nil && r.maximum != nil:
		parts = append(parts, r.minimum.written+" to "+r.maximum.written)
	case r.minimum != nil:
		parts = append(parts, "at least "+r.minimum.written)
	case r.maximum != nil:
		parts = append(parts, "at most "+r.maximum.written)
	}
	if r.above != nil {
		parts = append(parts, "more than "+r.above.written)
	}
	if r.below != nil {
		parts = append(parts, "less than "+r.below.written)
	}
	if r.multiple != nil {
		parts = append(parts, "a multiple of "+r.multiple.written)
	}
	return strings.Join(parts, ", ")
}

// maxStops is the maximal number of positions of a slider. Nobody can choose among more.
const maxStops = 1000

// Slider returns the ends and the step of a slider for the field. It returns false if an end is
// missing, or if there are more positions than a user can choose among.
func (f Field) Slider() (low, high, step *big.Rat, ok bool) {
	if f.Kind != Integer && f.Kind != Number || f.Range.minimum == nil || f.Range.maximum == nil {
		return nil, nil, nil, false
	}
	low, high = f.Range.minimum.value, f.Range.maximum.value
	span := new(big.Rat).Sub(high, low)
	switch {
	case f.Range.multiple != nil:
		step = f.Range.multiple.value
		if !new(big.Rat).Quo(low, step).IsInt() {
			return nil, nil, nil, false // its positions would miss the multiples
		}
	case f.Kind == Integer:
		step = big.NewRat(1, 1)
	default:
		step = new(big.Rat).Quo(span, big.NewRat(100, 1))
	}
	if span.Sign() <= 0 || new(big.Rat).Quo(span, step).Cmp(big.NewRat(maxStops, 1)) > 0 {
		return nil, nil, nil, false
	}
	return low, high, step, true
}

// Step returns the text of an Integer that is one step above or below text, within its range. If
// text is not a number, it starts at the bound.
func (f Field) Step(text string, up bool) string {
	by := big.NewRat(1, 1)
	if f.Range.multiple != nil {
		by = f.Range.multiple.value
	}
	n, ok := rational(strings.TrimSpace(text))
	if !ok {
		n = new(big.Rat)
		if f.Range.check(n) != "" && f.Range.minimum != nil {
			n = f.Range.minimum.value
		} else if f.Range.check(n) != "" && f.Range.maximum != nil {
			n = f.Range.maximum.value
		}
		return Decimal(n)
	}
	if !up {
		by = new(big.Rat).Neg(by)
	}
	next := new(big.Rat).Add(n, by)
	if f.Range.minimum != nil && next.Cmp(f.Range.minimum.value) < 0 {
		next = f.Range.minimum.value
	}
	if f.Range.maximum != nil && next.Cmp(f.Range.maximum.value) > 0 {
		next = f.Range.maximum.value
	}
	if f.Range.check(next) != "" {
		return text
	}
	return Decimal(next)
}

// Decimal formats a number without a fraction bar. It writes all digits of an integer, and up to
// ten decimals of any other number.
func Decimal(n *big.Rat) string {
	if n.IsInt() {
		return n.Num().String()
	}
	return strings.TrimRight(n.FloatString(10), "0")
}

// maxExponent limits the exponent of a number, because comparing numbers writes out their digits.
const maxExponent = 1000

// rational parses a JSON number.
func rational(text string) (*big.Rat, bool) {
	if !json.Valid([]byte(text)) || strings.ContainsAny(text, " \t\r\n") {
		return nil, false
	}
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		if n, err := strconv.Atoi(text[at+1:]); err != nil || n > maxExponent || n < -maxExponent {
			return nil, false
		}
	}
	return new(big.Rat).SetString(text)
}

// number parses a number. It keeps all digits of a JSON number, and converts other forms, such as
// .5, to JSON.
func (f Field) number(input string) (any, bool, error) {
	text := strings.TrimSpace(input)
	value, ok := rational(text)
	if !ok {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
			return nil, false, fmt.Errorf("%s must be a number", f.Label)
		}
		text = strconv.FormatFloat(n, 'f', -1, 64)
		value, _ = new(big.Rat).SetString(text)
	}
	if f.Kind == Integer && !value.IsInt() {
		return nil, false, fmt.Errorf("%s must be a whole number", f.Label)
	}
	if wrong := f.Range.check(value); wrong != "" {
		return nil, false, fmt.Errorf("%s must be %s", f.Label, wrong)
	}
	if f.Kind == Integer && strings.ContainsAny(text, ".eE") {
		text = value.Num().String() // some servers reject 5.0 where they expect 5
	}
	return json.Number(text), true, nil
}
