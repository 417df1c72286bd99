package ansi

import (
	"strings"
	"testing"
)

// Strip removes control sequences and keeps readable text.
func TestStrip(t *testing.T) {
	for text, want := range map[string]string{
		"":           "",
		"tab\tnew\n": "tab\tnew\n",
		"ö€😀":        "ö€😀",
		"\x1b[31mred\x1b[0m and \x1b[1;38;2;1;2;3mtrue\x1b[m": "red and true",
		"\x1b]0;I am root\aok":                                "ok",
		"\x1b]0;I am root\x1b\\ok":                            "ok",
		"\x1b]52;c;cm0gLXJm\aok":                              "ok",
		"\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\":            "link",
		"a\x1b[2J\x1b[H\x1b[8mhidden\x1b[?25lb":               "ahiddenb",
		"\u009b31mC1\u009b0m\u009d0;x\u009cok\u0085":          "C1ok",
		"\x1bPq#0;2;0;0;0\x1b\\ok\x1b_x\x1b\\\x1b^y\x1b\\!":   "ok!",
		"\x1b(B\x1b)0\x1bc\x1b7\x1b=ok\x1b":                   "ok",
		"\x1b]0;without end\nthe next line":                   "\nthe next line",
		"\x1b]0;cut by\x1b[31mred":                            "red",
		"\x1b[31":                                             "",
		"a\bb\x00c\x7fd\x0e":                                  "abcd",
		"10%\r20%\r\nnext\r":                                  "10% 20%\nnext",
		"no \xff text \xc2":                                   "no \uFFFD text \uFFFD",
		"\x9b31m":                                             "\uFFFD31m",
		"\x1b\x1b[31mtwice":                                   "twice",
		"\x1b[3\x1b[31m1mnested":                              "1mnested",
	} {
		if got := Strip(text); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
}

// Removing sequences never creates a new sequence, and stripping a text twice changes nothing.
func FuzzStrip(f *testing.F) {
	f.Add("\x1b[\x1b]0;\a\x1b\\31m\u009b\u009d\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		got := Strip(text)
		if strings.ContainsFunc(got, isControl) || Strip(got) != got {
			t.Fatalf("%q becomes %q", text, got)
		}
	})
}
