package transfer

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// between gives the same result as an equivalent regular expression.
func TestValuesStandBetweenTheParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOf(rapid.SampledFrom([]rune("ab.\n")))
		text, parts := word.Draw(t, "text"), rapid.SliceOfN(word, 1, 4).Draw(t, "parts")
		quoted := make([]string, len(parts))
		for i, p := range parts {
			quoted[i] = regexp.QuoteMeta(p)
		}
		want := regexp.MustCompile("(?s)^" + strings.Join(quoted, ".*") + "$").MatchString(text)
		if got := between(text, parts); got != want {
			t.Errorf("%q between %q: %t", text, parts, got)
		}
	})
}
