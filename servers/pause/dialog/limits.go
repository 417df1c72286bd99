package dialog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// These limit a question. A question that exceeds one is rejected with an error that names the
// limit, because people cannot take in such a dialog.
const (
	MaxSize    = 1 << 20 // bytes of all arguments
	MaxSubject = 4_000   // characters of the question itself
	MaxBody    = 100_000 // characters of Markdown, a plan or a description
	MaxLabel   = 300     // characters of an option, a button or a title
	MaxOptions = 100
)

// DefaultLength is the maximum length of a text answer, in characters, if the question sets none.
const DefaultLength = 10_000

// MaxLength is the highest maximum that a question can set, in characters.
const MaxLength = 1_000_000

func checkRequired(field, text string, limit int) error {
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("%s is empty", field)
	}
	return checkLength(field, text, limit)
}

func checkLength(field, text string, limit int) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%s is not UTF-8", field)
	}
	if n := utf8.RuneCountInString(text); n > limit {
		return fmt.Errorf("%s has %d characters; at most %d are allowed", field, n, limit)
	}
	return nil
}

// An Option is an answer that the user can choose. Planner, single choice and multiple choice use
// it. Each ignores the fields that it does not show.
type Option struct {
	Value       string   `json:"value" jsonschema:"What you receive if the user chooses this option."`
	Label       string   `json:"label" jsonschema:"What the user reads."`
	Description string   `json:"description,omitempty" jsonschema:"One or two sentences on what the option means."`
	Disabled    bool     `json:"disabled,omitempty" jsonschema:"Show the option, but do not let the user choose it."`
	Checked     bool     `json:"checked,omitempty" jsonschema:"Choose the option at first."`
	Group       string   `json:"group,omitempty" jsonschema:"The heading under which the option stands."`
	Tags        []string `json:"tags,omitempty" jsonschema:"Short words beside the label."`
}

// checkOptions rejects options that a user cannot distinguish or cannot choose, and options with
// the same value. If an option has no value, its label becomes its value, and the reverse.
func checkOptions(options []Option) error {
	if len(options) == 0 {
		return errors.New("options is empty: give the user at least one")
	}
	if len(options) > MaxOptions {
		return fmt.Errorf("options has %d entries; at most %d are allowed", len(options), MaxOptions)
	}
	seen := make(map[string]bool, len(options))
	for i := range options {
		o := &options[i]
		if o.Label == "" {
			o.Label = o.Value
		}
		if o.Value == "" {
			o.Value = o.Label
		}
		field := fmt.Sprintf("options[%d]", i)
		if err := errors.Join(
			checkRequired(field+".label", o.Label, MaxLabel),
			checkLength(field+".value", o.Value, MaxSubject),
			checkLength(field+".description", o.Description, MaxSubject),
			checkLength(field+".group", o.Group, MaxLabel),
		); err != nil {
			return err
		}
		for j, tag := range o.Tags {
			if err := checkRequired(fmt.Sprintf("%s.tags[%d]", field, j), tag, MaxLabel); err != nil {
				return err
			}
		}
		if seen[o.Value] {
			return fmt.Errorf("%s.value %q occurs twice", field, o.Value)
		}
		seen[o.Value] = true
		if same := slices.IndexFunc(options[:i], o.looksLike); same >= 0 {
			return fmt.Errorf("%s reads the same as options[%d]: give it another label or a description, so that the user can tell them apart", field, same)
		}
	}
	if !slices.ContainsFunc(options, func(o Option) bool { return !o.Disabled }) {
		return errors.New("every option is disabled: leave at least one that the user can choose")
	}
	return nil
}

// looksLike reports whether two options look the same to the user.
func (o *Option) looksLike(other Option) bool {
	return strings.TrimSpace(o.Label) == strings.TrimSpace(other.Label) && strings.TrimSpace(o.Description) == strings.TrimSpace(other.Description) &&
		o.Group == other.Group && slices.Equal(o.Tags, other.Tags)
}

// Grouped returns the options by group: first those without a group, then each group at the place
// of its first option.
func Grouped(all []Option) []Option {
	place := map[string]int{"": -1}
	for i, o := range all {
		if _, ok := place[o.Group]; !ok {
			place[o.Group] = i
		}
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Option) int { return place[a.Group] - place[b.Group] })
	return all
}

// enabledOption returns the option with a value if the user can choose it.
func enabledOption(options []Option, value string) (Option, bool) {
	for _, o := range options {
		if o.Value == value && !o.Disabled {
			return o, true
		}
	}
	return Option{}, false
}

// Label returns the label of the option with a value, or the value itself if there is no such
// option.
func Label(q Question, value string) string {
	var options []Option
	switch q := q.(type) {
	case *Planner:
		options = q.Options
	case *SingleChoice:
		options = q.Options
	case *MultiChoice:
		options = q.Options
	}
	for _, o := range options {
		if o.Value == value {
			return o.Label
		}
	}
	return value
}
