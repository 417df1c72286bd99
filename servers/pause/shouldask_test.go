package pause

import (
	"testing"
	"time"
)

// The model must always ask about critical decisions, and must not ask again about what the user
// decided. For the rest, the user's frequency decides.
func TestShould(t *testing.T) {
	decided := map[string]decision{
		decisionKey("style", "naming"):              {Value: "short", Timestamp: time.Unix(1, 0)},
		decisionKey("style", "security"):            {Value: "none", Timestamp: time.Unix(1, 0)},
		decisionKey("implementation", "ui_layout"):  {Value: "grid", Timestamp: time.Unix(1, 0)},
		decisionKey("architecture", "api_design"):   {Value: "REST", Timestamp: time.Unix(1, 0)},
		decisionKey("configuration", "third_party"): {Value: "none", Timestamp: time.Unix(1, 0)},
	}
	for _, c := range []struct {
		what      string
		frequency frequency
		in        shouldInput
		ask       bool
	}{
		{"a critical decision", minimal, shouldInput{Type: "naming", Category: "style", Importance: criticalImportance}, true},
		{"a breaking change", minimal, shouldInput{Type: "naming", Category: "style", Importance: lowImportance, Breaking: true}, true},
		{"the first architecture", minimal, shouldInput{Type: "api_design", Category: "architecture", Importance: lowImportance, First: true}, true},
		{"security", minimal, shouldInput{Type: "Security", Category: "style", Importance: lowImportance}, true},
		{"a decision of before", high, shouldInput{Type: "naming", Category: "style", Importance: highImportance}, false},
		{"an existing pattern", high, shouldInput{Type: "cache", Category: "implementation", Importance: highImportance, Pattern: true}, false},
		{"a routine", high, shouldInput{Type: "bugfix", Category: "implementation", Importance: highImportance}, false},
		{"a routine in two words", high, shouldInput{Type: "Minor refactor", Category: "implementation", Importance: highImportance}, false},
		{"a breaking change in two words", minimal, shouldInput{Type: "breaking-changes", Category: "style", Importance: lowImportance}, true},
		{"few questions, medium", low, shouldInput{Type: "cache", Category: "implementation", Importance: mediumImportance}, false},
		{"few questions, high", low, shouldInput{Type: "cache", Category: "implementation", Importance: highImportance}, true},
		{"fewest questions, high", minimal, shouldInput{Type: "cache", Category: "implementation", Importance: highImportance}, false},
		{"normal, medium", normal, shouldInput{Type: "cache", Category: "implementation", Importance: mediumImportance}, true},
		{"normal, low", normal, shouldInput{Type: "cache", Category: "implementation", Importance: lowImportance}, false},
		{"many questions, low", high, shouldInput{Type: "cache", Category: "implementation", Importance: lowImportance}, true},
	} {
		if ask, reason := shouldAsk(saved{Frequency: c.frequency, Decisions: decided}, c.in); ask != c.ask || reason == "" {
			t.Errorf("%s: %v, %q", c.what, ask, reason)
		}
	}
}
