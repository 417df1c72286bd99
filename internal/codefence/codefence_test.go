package codefence

import (
	"strings"
	"testing"
	"time"
)

func TestAFenceIsLongerThanAnyInTheText(t *testing.T) {
	for text, want := range map[string]int{"": 3, "`a` ``b``": 3, "```go\n```": 4, "a ````` b ``": 6, "``` ```": 4} {
		if got := For(text); got != strings.Repeat("`", want) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// The time grows with the text. The five copies of this looked for each longer fence again, and a row of 256 KiB took
// them half a minute.
func TestALongRowOfBackticksIsQuick(t *testing.T) {
	const n = 1 << 20
	began := time.Now()
	if got := len(For(strings.Repeat("`", n))); got != n+1 || time.Since(began) > time.Second {
		t.Errorf("a fence of %d after %s", got, time.Since(began))
	}
}
