package config

import (
	"math"
	"strings"

	"goated/internal/authscheme"
	"goated/internal/lazyregexp"
	"goated/internal/secretvalue"
)

// serviceKey matches the keys of well-known services by their format.
var serviceKey = lazyregexp.New(`\b` + secretvalue.Pattern)

// LooksSecret reports whether a value looks like a key, by its format or because it is long and
// random. A path, a URL, a hyphenated name of words or a number does not.
func LooksSecret(value string) bool {
	if serviceKey.MatchString(value) {
		return true
	}
	if strings.Contains(value, " ") {
		scheme, rest := authscheme.Cut(value)
		return scheme != "" && !strings.ContainsAny(rest, "${<")
	}
	if len(value) < 24 || len(value) > 4096 || strings.ContainsAny(value, "/\\:@${}<>,") {
		return false
	}
	var digits, letters int
	counts := make(map[rune]int)
	for _, r := range value {
		counts[r]++
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
			letters++
		}
	}
	entropy := 0.0
	for _, n := range counts {
		p := float64(n) / float64(len(value))
		entropy -= p * math.Log2(p)
	}
	if strings.Trim(strings.ToLower(value), "0123456789abcdef") == "" {
		return len(value) >= 32 && letters > 0 // hexadecimal
	}
	return digits >= 4 && letters >= 4 && entropy > 3.5 && !strings.Contains(value, ".") && !wordsOnly.MatchString(value)
}

// wordsOnly matches a name that consists of words and numbers.
var wordsOnly = lazyregexp.New(`^([A-Za-z]+|[0-9]+)([-_]([A-Za-z]+|[0-9]+))+$`)
