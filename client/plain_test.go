package client

import (
	"slices"
	"strings"
	"testing"
)

// What a terminal would obey does not get through, and what people read does.
func TestPlain(t *testing.T) {
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
		if got := Plain(text); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
}

// Nothing that is made of pieces of sequences is a sequence, and nothing is
// taken from what was plain before.
func FuzzPlain(f *testing.F) {
	f.Add("\x1b[\x1b]0;\a\x1b\\31m\u009b\u009d\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		got := Plain(text)
		if strings.ContainsFunc(got, controls) || Plain(got) != got {
			t.Fatalf("%q becomes %q", text, got)
		}
	})
}

// What a server writes to stderr is kept without its orders, a line that has not
// ended included, and however it is cut.
func TestTailIsPlain(t *testing.T) {
	var l tail
	for _, part := range []string{"\x1b[31mTrace", "back\x1b[0m\r\n\x1b]0;owned\a\x1b[2J\n", strings.Repeat("x", tailLine-3) + "\x1b[38;5;1mtoo long\n", "half\x1b[8"} {
		_, _ = l.Write([]byte(part))
	}
	l.Note("stdout: \x1b[2Jgone")
	want := []string{"Traceback", strings.Repeat("x", tailLine-3), "stdout: gone", "half"}
	if got := l.Lines(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
