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
		{strings.Repeat(" ", 77) + "abc", 5, "abc"},            // a text 16 times as long is read completely
		{strings.Repeat(" ", 78) + "abcd", 5, "ab…"},           // a longer text is cut and gets an ellipsis
		{strings.Repeat(" ", 75) + "abcdefgh", 5, "abcd…"},     // there is no room for everything that was read either
		{strings.Repeat(" ", 76) + "abcd   defgh", 5, "abcd…"}, // as many letters as fit, with one character for the ellipsis
	} {
		got := Cut(test.text, test.n)
		if got != test.want || utf8.RuneCountInString(got) > test.n {
			t.Errorf("%q: %q instead of %q", test.text, got, test.want)
		}
	}
}
