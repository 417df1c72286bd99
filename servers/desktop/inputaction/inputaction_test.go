package inputaction

import (
	"slices"
	"testing"
)

func TestFieldsEndAtEachLineBreak(t *testing.T) {
	for text, want := range map[string][]string{
		"a\tb\nc":      {"a\t", "b\n", "c"},
		"a\rb":         {"a\r", "b"},
		"a\r\nb\r\n\r": {"a\r\n", "b\r\n", "\r"},
		"":             nil,
	} {
		if got := slices.Collect(Fields(text)); !slices.Equal(got, want) {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
