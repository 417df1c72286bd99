package config

import (
	"slices"
	"testing"
)

func TestSplitSeparators(t *testing.T) {
	got, err := Split(" a\tb\nc  d\n")
	if err != nil || !slices.Equal(got, []string{"a", "b", "c", "d"}) {
		t.Errorf("%q, %v", got, err)
	}
}
