package config

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSplit(t *testing.T) {
	for in, want := range map[string][]string{
		"":                       nil,
		"  ":                     nil,
		"a b":                    {"a", "b"},
		`a  "b c" d`:             {"a", "b c", "d"},
		`'a "b" c'`:              {`a "b" c`},
		`a\ b`:                   {"a b"},
		`"a\"b" "c\d"`:           {`a"b`, `c\d`},
		`'a\b'`:                  {`a\b`},
		`--name="x y"z`:          {"--name=x yz"},
		`"" ''`:                  {"", ""},
		"$HOME *":                {"$HOME", "*"},
		"über \"naïve café\" ok": {"über", "naïve café", "ok"},
	} {
		got, err := Split(in)
		if err != nil || strings.Join(got, "|") != strings.Join(want, "|") || len(got) != len(want) {
			t.Errorf("%q is %q, %v", in, got, err)
		}
	}
	for _, in := range []string{`"a`, `'a`, `a\`} {
		if _, err := Split(in); err == nil {
			t.Errorf("%q is taken", in)
		}
	}
}

// Split is the inverse of Quoted.
func TestSplitUndoesQuotes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.String()).Draw(t, "words")
		quoted := make([]string, len(words))
		for i, w := range words {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		got, err := Split(strings.Join(quoted, " "))
		if err != nil || strings.Join(got, "\x00") != strings.Join(words, "\x00") || len(got) != len(words) {
			t.Fatalf("%q becomes %q, %v", words, got, err)
		}
	})
}

func TestQuotedIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.StringOf(rapid.RuneFrom([]rune("a- '\"\\$`\n\té")))).Draw(t, "words")
		got, err := Split(Quoted(words))
		if err != nil || len(got) != len(words) || !slices.Equal(got, words) && len(words) > 0 {
			t.Fatalf("%q is written %q and read %q, %v", words, Quoted(words), got, err)
		}
	})
}

// The field for servers showed "mcp<2" without quotes, and a shell treated < as a redirection.
func TestQuotedIsReadByAShell(t *testing.T) {
	for word, want := range map[string]string{"mcp<2": `"mcp<2"`, "a|b": `"a|b"`, "a&b": `"a&b"`, "${X}": "'${X}'", "#1": `"#1"`, "--key=a": "--key=a", "~/x": "~/x"} {
		if got := Quoted([]string{word}); got != want {
			t.Errorf("%s is written %s", word, got)
		}
	}
}
