package codefence

import (
	"strings"
	"testing"
	"time"
)

func TestAFenceIsLongerThanAnyInTheText(t *testing.T) {
	for text, want := range map[string]int{"": 3, "`a` ``b``": 3, "```go\n```": 4, "a ````` b ``": 6, "``` ```": 4} {
		if got := Fence(text); got != strings.Repeat("`", want) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// The time is linear in the length of the text. Earlier code searched the text again for each
// longer fence, and a row of 256 KiB took half a minute.
func TestALongRowOfBackticksIsQuick(t *testing.T) {
	const n = 1 << 20
	began := time.Now()
	if got := len(Fence(strings.Repeat("`", n))); got != n+1 || time.Since(began) > time.Second {
		t.Errorf("a fence of %d after %s", got, time.Since(began))
	}
}
