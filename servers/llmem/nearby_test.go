package llmem

import (
	"strings"
	"testing"
)

// An error about a path suggests files that the caller may have meant.
func TestAWrongPathLeadsToTheRightOne(t *testing.T) {
	b := start(t, map[string]string{"src/app/Main.go": "package app\n", "cmd/app/main.go": "package main\n", "README.md": "# A\n"})
	for given, want := range map[string]string{
		"app/main.go":             "Did you mean cmd/app/main.go or src/app/Main.go?",
		"cmd/main.go":             "cmd/app/main.go",
		"src/app/Main.go:12":      "Did you mean src/app/Main.go",
		"`README.md`":             "Did you mean README.md?",
		"docs/README":             "Did you mean README.md?",
		`src\\app\\Main.go`:       "Did you mean src/app/Main.go",
		"/README.md":              "Did you mean README.md?",
		"file:///src/app/Main.go": "Did you mean src/app/Main.go",
		"app":                     "Did you mean cmd/app or src/app?",
		"nothing.go":              "Call map_workspace",
		"../elsewhere.go":         "Use a path inside",
	} {
		for tool, more := range map[string]map[string]any{"get_artifact": {}, "generate_prompt": {"task": "summarize"}} {
			args := map[string]any{"path": given}
			for k, v := range more {
				args[k] = v
			}
			if a := b.call(tool, args); a.Status != statusError || !strings.Contains(a.NextAction, want) {
				t.Errorf("%s %s: %s %q, want %q", tool, given, a.Status, a.NextAction, want)
			}
		}
	}
}
