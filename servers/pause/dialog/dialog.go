// Package dialog defines the questions that the pause server asks a user, and the user's answers
// (seed 004). It owns their JSON forms, and the rules for valid questions and answers. It must not
// know how a question reaches the user.
package dialog

import (
	"encoding/json"
	"errors"
	"fmt"
)

// A Kind is a kind of dialog. It equals the name of the tool that asks it.
type Kind string

// These are the six dialogs of seed 004.
const (
	KindPlanner      Kind = "planner"
	KindTextInput    Kind = "text_input"
	KindSingleChoice Kind = "single_choice"
	KindMultiChoice  Kind = "multi_choice"
	KindScreenshot   Kind = "screenshot_request"
	KindConfirm      Kind = "confirm"
)

// ErrKind means that there is no dialog of that kind.
var ErrKind = errors.New("unknown kind of dialog")

// A Question is the question of a dialog. It is one of *[Planner], *[TextInput], *[SingleChoice],
// *[MultiChoice], *[Screenshot] and *[Confirm]. A question does not change after Check.
type Question interface {
	// Kind returns the kind of the dialog.
	Kind() Kind

	// Subject returns the sentence that the user reads first.
	Subject() string

	// Check fills in the defaults. It returns the first error that it finds, with the name of the
	// field.
	Check() error

	// Accept returns an error if the user's answer does not fit the question.
	// A cancelled answer and a switch to text always fit.
	Accept(Answer) error
}

// Parse decodes a question of a kind from the arguments of its tool. It ignores unknown fields;
// [CheckNames] reports them. Its errors wrap [ErrKind] or name the field.
func Parse(kind Kind, arguments json.RawMessage) (Question, error) {
	q, err := empty(kind)
	if err != nil {
		return nil, err
	}
	if len(arguments) > MaxSize {
		return nil, fmt.Errorf("the arguments have %d bytes; at most %d are allowed", len(arguments), MaxSize)
	}
	if len(arguments) > 0 {
		if err := json.Unmarshal(arguments, q); err != nil {
			return nil, explainTypeError(err)
		}
	}
	if err := q.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	return q, nil
}

func empty(kind Kind) (Question, error) {
	switch kind {
	case KindPlanner:
		return new(Planner), nil
	case KindTextInput:
		return new(TextInput), nil
	case KindSingleChoice:
		return new(SingleChoice), nil
	case KindMultiChoice:
		return new(MultiChoice), nil
	case KindScreenshot:
		return new(Screenshot), nil
	case KindConfirm:
		return new(Confirm), nil
	}
	return nil, fmt.Errorf("%w %q", ErrKind, kind)
}

// Kinds returns all kinds in the order of the seed.
func Kinds() []Kind {
	return []Kind{KindPlanner, KindTextInput, KindSingleChoice, KindMultiChoice, KindScreenshot, KindConfirm}
}

// A Caller identifies the program that asks. The dialog shows it to the user. The caller chooses
// the text, so the dialog marks it as untrusted.
type Caller struct {
	Name   string `json:"name"`   // the name that the program gives itself
	Folder string `json:"folder"` // the folder in which it works
}
