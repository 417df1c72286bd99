package format

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCut(t *testing.T) {
	for _, test := range []struct {
		text string
		n    int
		want string
	}{
		{"", 5, ""},
		{"12345", 5, "12345"},
		{"123456", 5, "1234…"},
		{"123 56", 5, "123…"},
		{" a \n\t b ", 5, "a b"},
		{"日本語日本", 5, "日本語日本"},
		{strings.Repeat(" ", 77) + "abc", 5, "abc"},            // 16 times as long is read whole
		{strings.Repeat(" ", 78) + "abcd", 5, "ab…"},           // more is cut, and says so
		{strings.Repeat(" ", 75) + "abcdefgh", 5, "abcd…"},     // all that was read has no room either
		{strings.Repeat(" ", 76) + "abcd   defgh", 5, "abcd…"}, // as many letters as fit, with one for the ellipsis
	} {
		got := Cut(test.text, test.n)
		if got != test.want || utf8.RuneCountInString(got) > test.n {
			t.Errorf("%q: %q instead of %q", test.text, got, test.want)
		}
	}
}
