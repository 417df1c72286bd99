package shellword

import (
	"os/exec"
	"strings"
	"testing"

	"goated/internal/safetext"
)

// A shell reads each word unchanged, and a person cannot mistake it for another command.
func TestQuote(t *testing.T) {
	for word, want := range map[string]string{
		"plain": "plain", "/a/b.go": "/a/b.go", "": "''", "it's": `'it'\''s'`, "a b": "'a b'", "naïve": "'naïve'", "~": "'~'", "$(id)": "'$(id)'",
		"a\nb": `$'a\x0ab'`, "a\u202eb": `$'a\xe2\x80\xaeb'`, "a\t'\\": `$'a\x09\'\\'`,
	} {
		got := Quote(word)
		if got != want || safetext.Hidden(got) > 0 || strings.ContainsAny(got, "\n\t") {
			t.Errorf("%q is quoted as %s, want %s", word, got, want)
		}
		if bash, err := exec.LookPath("bash"); err == nil {
			if out, err := exec.Command(bash, "-c", "printf %s "+got).Output(); err != nil || string(out) != word {
				t.Errorf("a shell reads %s as %q (%v)", got, out, err)
			}
		}
	}
}
