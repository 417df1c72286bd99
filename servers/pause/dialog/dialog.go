// Package dialog holds the questions that the pause server asks a user, and the
// user's answers (seed 004). It owns their shapes on the wire and the rules for a
// valid question and a valid answer. It must not know how a question reaches the user.
package dialog

import (
	"encoding/json"
	"errors"
	"fmt"
)

// A Kind is a kind of dialog. It has the name of the tool that asks it.
type Kind string

// The six dialogs of seed 004.
const (
	KindPlanner      Kind = "planner"
	KindTextInput    Kind = "text_input"
	KindSingleChoice Kind = "single_choice"
	KindMultiChoice  Kind = "multi_choice"
	KindScreenshot   Kind = "screenshot_request"
	KindConfirm      Kind = "confirm"
)

// ErrKind says that there is no dialog of a kind.
var ErrKind = errors.New("unknown kind of dialog")

// A Question is what a dialog asks. It is one of *[Planner], *[TextInput],
// *[SingleChoice], *[MultiChoice], *[Screenshot] and *[Confirm]. A question does not
// change after Check.
type Question interface {
	// Kind returns the kind of the dialog.
	Kind() Kind

	// Subject returns the sentence that the user reads first.
	Subject() string

	// Check fills in the defaults and returns the first fault, with the name of the
	// field.
	Check() error

	// Accept returns an error if the user's answer does not fit the question.
	// A cancelled answer and a switch to text always fit.
	Accept(Answer) error
}

// Parse returns the question of a kind from the arguments of its tool. It does not
// report fields that it does not know; [Known] does. Its errors wrap [ErrKind] or name the field.
func Parse(kind Kind, arguments json.RawMessage) (Question, error) {
	q, err := empty(kind)
	if err != nil {
		return nil, err
	}
	if len(arguments) > MaxSize {
		return nil, fmt.Errorf("the arguments have %d bytes, at most %d are allowed", len(arguments), MaxSize)
	}
	if len(arguments) > 0 {
		if err := json.Unmarshal(arguments, q); err != nil {
			return nil, inWords(err)
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

// Kinds returns all kinds, in the order of the seed.
func Kinds() []Kind {
	return []Kind{KindPlanner, KindTextInput, KindSingleChoice, KindMultiChoice, KindScreenshot, KindConfirm}
}

// A Caller says who asks. The user reads it in the dialog. The caller chooses the
// words, so the dialog marks them as untrusted.
type Caller struct {
	Name   string `json:"name"`   // the program, as it names itself
	Folder string `json:"folder"` // in which it works
}
