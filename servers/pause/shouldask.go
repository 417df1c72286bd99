package pause

import (
	"slices"
	"strings"
)

// importance is how much depends on a decision.
type importance string

const (
	lowImportance      importance = "low"
	mediumImportance   importance = "medium"
	highImportance     importance = "high"
	criticalImportance importance = "critical"
)

func importances() []importance {
	return []importance{lowImportance, mediumImportance, highImportance, criticalImportance}
}

// asksAbout reports whether a user with this frequency wants to be asked about decisions of an
// importance.
func (f frequency) asksAbout(i importance) bool {
	return slices.Index(importances(), i) >= slices.Index(importances(), f.least())
}

// least returns the lowest importance of decisions about which a user with this frequency wants to
// be asked.
func (f frequency) least() importance {
	return map[frequency]importance{minimal: criticalImportance, low: highImportance, normal: mediumImportance, high: lowImportance}[f]
}

// A category is an area of decisions.
type category string

func categories() []category {
	return []category{"architecture", "implementation", "style", "configuration"}
}

// A shouldInput holds the arguments of should_ask_user.
type shouldInput struct {
	Type       string     `json:"type" jsonschema:"The kind of decision, such as bugfix, refactor, ui_layout, api_design, security or third_party."`
	Category   category   `json:"category" jsonschema:"architecture, implementation, style or configuration"`
	Importance importance `json:"importance" jsonschema:"low, medium, high or critical"`
	Pattern    bool       `json:"hasExistingPattern,omitempty" jsonschema:"The project already has a way to do this."`
	First      bool       `json:"isFirstImplementation,omitempty" jsonschema:"Nothing like this exists in the project."`
	Breaking   bool       `json:"isBreakingChange,omitempty" jsonschema:"Existing code, data or users are affected."`
}

// shouldAsk decides whether to ask. It checks the rules in the order of the original program: what
// must be asked, what need not be asked, what the user decided before, and what should be asked.
func shouldAsk(s saved, in shouldInput) (ask bool, reason string) {
	is := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return normalizeKey(in.Type) == w })
	}
	switch {
	case in.Importance == criticalImportance:
		return true, "The decision is critical."
	case in.Breaking:
		return true, "The change breaks something that exists."
	case in.First && in.Category == "architecture":
		return true, "It is the first decision on this part of the architecture."
	case is("security", "authentication", "breaking_changes", "breaking_change"):
		return true, "The user always decides on " + strings.ToLower(in.Type) + "."
	}
	if _, _, decided := s.find(string(in.Category), in.Type); decided {
		return false, "The user decided this before: call check_preference."
	}
	switch {
	case in.Pattern:
		return false, "Follow the existing pattern."
	case is("formatting", "bugfix", "obvious_bugfix", "crud", "minor_refactor"):
		return false, "The decision is routine."
	case !s.Frequency.asksAbout(in.Importance):
		return false, "The user wants to be asked only about decisions of at least " + string(s.Frequency.least()) + " importance."
	}
	return true, "The user wants to decide this."
}
