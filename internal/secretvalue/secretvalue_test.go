package secretvalue_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"goated/internal/secretvalue"
)

// Each key that the pattern matches begins with one of the beginnings. Otherwise the search would
// skip it.
func TestBeginningsCoverThePattern(t *testing.T) {
	whole := regexp.MustCompile(`^` + secretvalue.Pattern + `$`)
	for _, key := range []string{
		"AIza" + strings.Repeat("x", 35), "sk-proj-" + strings.Repeat("a1", 12), "sk_live_" + strings.Repeat("a1", 12), "rk_test_" + strings.Repeat("a1", 12),
		"ghp_" + strings.Repeat("a1", 18), "github_pat_" + strings.Repeat("a1", 20), "glpat-" + strings.Repeat("a1", 10), "xoxb-1234567890-abc",
		"AKIAIOSFODNN7EXAMPLE", "hf_" + strings.Repeat("a1", 15), "npm_" + strings.Repeat("a1", 18), "ntn_" + strings.Repeat("a1", 20),
		"secret_" + strings.Repeat("a1", 20), "tvly-" + strings.Repeat("a1", 10), "fc-" + strings.Repeat("a1", 16), "ctx7sk-" + strings.Repeat("a1", 10),
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc-_1",
	} {
		if !whole.MatchString(key) {
			t.Errorf("%s is no key", key)
		}
		if lower := strings.ToLower(key); !slices.ContainsFunc(secretvalue.Beginnings(), func(b string) bool { return strings.HasPrefix(lower, b) }) {
			t.Errorf("%s has none of the beginnings", key)
		}
	}
	if whole.NumSubexp() != 0 {
		t.Error("the pattern has groups")
	}
}
