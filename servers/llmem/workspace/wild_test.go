package workspace

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A pattern in a downloaded project took years to match one long name, and no context ended it.
func TestPatternsWithManyWildcardsAreFast(t *testing.T) {
	name := strings.Repeat("a", 255)
	deep := strings.Repeat("a/", 1000) + "a"
	for pattern, path := range map[string]string{
		strings.Repeat("*a", 100) + "b":                            name,
		strings.Repeat("**/a*/", 50) + "b":                         deep,
		strings.Repeat("**/", 50) + strings.Repeat("*a", 50) + "b": deep,
		"x/" + strings.Repeat("[:", 500_000):                       deep,
		strings.Repeat("*?", 100) + "[b-z]":                        name,
	} {
		began := time.Now()
		if ignored([]*ignoreFile{parseIgnore("", []byte(pattern+"\nother"))}, path, false) {
			t.Errorf("%.20s… matches", pattern)
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%.20s… took %v", pattern, took)
		}
	}
}

// The matcher accepts the same names as an exhaustive one, which TestFilesMatchGit compared with git.
func TestWildcardsMatchInOneOfAllWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "/", "*", "**", "**/", "/**", "?", "[a]", "[!a]", "\\a", "\\/", "\\", "["}), 0, 9)
		p := strings.Join(parts.Draw(t, "pattern"), "")
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "/"}), 0, 9).Draw(t, "name"), "")
		if got, want := matchPattern(p, s), eachWay(p, s, true); got != want {
			t.Fatalf("wild(%q, %q) = %v, want %v", p, s, got, want)
		}
	})
}

// eachWay is an exhaustive version of wild: it tries each length of each wildcard.
func eachWay(p, s string, start bool) bool {
	rest := strings.TrimLeft(p, "*")
	switch {
	case p == "":
		return s == ""
	case start && strings.HasPrefix(p, "**") && rest == "":
		return s != ""
	case start && strings.HasPrefix(p, "**") && rest[0] == '/':
		if eachWay(rest[1:], s, true) {
			return true
		}
		_, after, ok := strings.Cut(s, "/")
		return ok && eachWay(p, after, true)
	case len(rest) < len(p):
		if eachWay(rest, s, false) {
			return true
		}
		return s != "" && s[0] != '/' && eachWay("*"+rest, s[1:], false)
	}
	after, ok := matchElement(p, s)
	return ok && eachWay(after, s[1:], s[0] == '/')
}
