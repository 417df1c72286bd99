package form

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// A limit is the minimum or maximum of a number.
type limit struct {
	value   *big.Rat
	written string
}

// limitOf reads a limit of a schema; nil if there is none.
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

// maxExponent bounds the exponent of a number, whose digits are written out to compare
// it.
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

// number parses a number. A JSON number keeps every digit; other forms, such as .5,
// become one.
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
	switch {
	case f.Kind == Integer && !value.IsInt():
		return nil, false, fmt.Errorf("%s must be a whole number", f.Label)
	case f.minimum != nil && value.Cmp(f.minimum.value) < 0:
		return nil, false, fmt.Errorf("%s must be at least %s", f.Label, f.minimum.written)
	case f.maximum != nil && value.Cmp(f.maximum.value) > 0:
		return nil, false, fmt.Errorf("%s must be at most %s", f.Label, f.maximum.written)
	}
	if f.Kind == Integer && strings.ContainsAny(text, ".eE") {
		text = value.Num().String() // some servers refuse 5.0 where they want a 5
	}
	return json.Number(text), true, nil
}
