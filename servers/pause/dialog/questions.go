package dialog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A TextInput asks for a text.
type TextInput struct {
	Question    string `json:"question" jsonschema:"The question."`
	Description string `json:"description,omitempty" jsonschema:"More on the question, as Markdown."`
	Placeholder string `json:"placeholder,omitempty" jsonschema:"An example that stands in the empty field."`
	DefaultText string `json:"defaultText,omitempty" jsonschema:"The text that stands in the field at first."`
	MaxLength   int    `json:"maxLength,omitempty" jsonschema:"The longest text, in characters. The default is 10000."`
	ExpectsCode bool   `json:"expectsCode,omitempty" jsonschema:"Show the field in a monospaced font."`
	Required    *bool  `json:"required,omitempty" jsonschema:"Refuse an empty text. The default is true."`
}

// Kind implements [Question].
func (*TextInput) Kind() Kind { return KindTextInput }

// Subject implements [Question].
func (q *TextInput) Subject() string { return q.Question }

// Check implements [Question].
func (q *TextInput) Check() error {
	if q.MaxLength == 0 {
		q.MaxLength = DefaultLength
	}
	if q.MaxLength < 1 || q.MaxLength > MaxLength {
		return fmt.Errorf("maxLength is %d; it must be between 1 and %d", q.MaxLength, MaxLength)
	}
	return errors.Join(
		checkRequired("question", q.Question, MaxSubject),
		checkLength("description", q.Description, MaxBody),
		checkLength("placeholder", q.Placeholder, MaxLabel),
		checkLength("defaultText", q.DefaultText, q.MaxLength),
	)
}

// IsRequired reports whether an empty text is rejected.
func (q *TextInput) IsRequired() bool { return q.Required == nil || *q.Required }

// Accept implements [Question].
func (q *TextInput) Accept(a Answer) error {
	if !a.isGiven() {
		return nil
	}
	if q.IsRequired() && strings.TrimSpace(a.Text) == "" {
		return errors.New("write an answer")
	}
	if n := utf8.RuneCountInString(a.Text); n > q.MaxLength {
		return fmt.Errorf("the answer has %d characters; at most %d are allowed", n, q.MaxLength)
	}
	return nil
}

// A SingleChoice asks for one of several options.
type SingleChoice struct {
	Question     string   `json:"question" jsonschema:"The question."`
	Description  string   `json:"description,omitempty" jsonschema:"More on the question, as Markdown."`
	Options      []Option `json:"options" jsonschema:"The options. The user chooses one."`
	DefaultValue string   `json:"defaultValue,omitempty" jsonschema:"The value of the option that is chosen at first."`
}

// Kind implements [Question].
func (*SingleChoice) Kind() Kind { return KindSingleChoice }

// Subject implements [Question].
func (q *SingleChoice) Subject() string { return q.Question }

// Check implements [Question].
func (q *SingleChoice) Check() error {
	err := errors.Join(
		checkRequired("question", q.Question, MaxSubject),
		checkLength("description", q.Description, MaxBody),
		checkOptions(q.Options),
	)
	if _, ok := enabledOption(q.Options, q.DefaultValue); err == nil && q.DefaultValue != "" && !ok {
		return fmt.Errorf("defaultValue %q is not the value of an option", q.DefaultValue)
	}
	return err
}

// Accept implements [Question].
func (q *SingleChoice) Accept(a Answer) error {
	if !a.isGiven() {
		return nil
	}
	if a.Choice == "" {
		return errors.New("choose an option")
	}
	if _, ok := enabledOption(q.Options, a.Choice); !ok {
		return fmt.Errorf("%q is not an option", a.Choice)
	}
	return nil
}

// A MultiChoice asks for any number of options.
type MultiChoice struct {
	Question      string   `json:"question" jsonschema:"The question."`
	Description   string   `json:"description,omitempty" jsonschema:"More on the question, as Markdown."`
	Options       []Option `json:"options" jsonschema:"The options. The user chooses any number of them."`
	MinSelections int      `json:"minSelections,omitempty" jsonschema:"The fewest options that the user may choose."`
	MaxSelections int      `json:"maxSelections,omitempty" jsonschema:"The most options that the user may choose."`
	AllowEmpty    *bool    `json:"allowEmpty,omitempty" jsonschema:"Accept no option at all. The default is true, unless minSelections is set."`
}

// Kind implements [Question].
func (*MultiChoice) Kind() Kind { return KindMultiChoice }

// Subject implements [Question].
func (q *MultiChoice) Subject() string { return q.Question }

// Range returns the minimum and maximum number of options that the user has to choose.
func (q *MultiChoice) Range() (least, most int) {
	least, most = q.MinSelections, q.MaxSelections
	if least == 0 && q.AllowEmpty != nil && !*q.AllowEmpty {
		least = 1
	}
	if most == 0 {
		most = len(q.Options)
	}
	return least, most
}

// Check implements [Question].
func (q *MultiChoice) Check() error {
	if err := errors.Join(
		checkRequired("question", q.Question, MaxSubject),
		checkLength("description", q.Description, MaxBody),
		checkOptions(q.Options),
	); err != nil {
		return err
	}
	free, checked := 0, 0
	for _, o := range q.Options {
		if !o.Disabled {
			free++
			if o.Checked {
				checked++
			}
		}
	}
	switch least, most := q.Range(); {
	case q.MinSelections < 0 || q.MaxSelections < 0:
		return errors.New("minSelections and maxSelections cannot be negative")
	case least > free:
		return fmt.Errorf("minSelections is %d, and the user can choose only %d options", least, free)
	case least > most:
		return fmt.Errorf("minSelections is %d, which is more than maxSelections, %d", least, most)
	case checked > most:
		return fmt.Errorf("%d options are checked, which is more than maxSelections, %d", checked, most)
	}
	return nil
}

// Accept implements [Question].
func (q *MultiChoice) Accept(a Answer) error {
	if !a.isGiven() {
		return nil
	}
	for i, value := range a.Choices {
		if _, ok := enabledOption(q.Options, value); !ok {
			return fmt.Errorf("%q is not an option", value)
		}
		if slices.Contains(a.Choices[:i], value) {
			return fmt.Errorf("%q is chosen twice", value)
		}
	}
	switch least, most := q.Range(); {
	case len(a.Choices) < least:
		return fmt.Errorf("choose at least %d", least)
	case len(a.Choices) > most:
		return fmt.Errorf("choose at most %d", most)
	}
	return nil
}

// A Screenshot asks for pictures of the screen.
type Screenshot struct {
	Question    string `json:"question" jsonschema:"What the picture should show."`
	Description string `json:"description,omitempty" jsonschema:"More on the question, as Markdown."`
}

// Kind implements [Question].
func (*Screenshot) Kind() Kind { return KindScreenshot }

// Subject implements [Question].
func (q *Screenshot) Subject() string { return q.Question }

// Check implements [Question].
func (q *Screenshot) Check() error {
	return errors.Join(checkRequired("question", q.Question, MaxSubject), checkLength("description", q.Description, MaxBody))
}

// Accept implements [Question].
func (q *Screenshot) Accept(a Answer) error {
	if !a.isGiven() {
		return nil
	}
	if len(a.Attachments) == 0 {
		return errors.New("add a picture")
	}
	for _, picture := range a.Attachments {
		if !strings.HasPrefix(picture.Type, "image/") {
			return fmt.Errorf("%s is not a picture", picture.Name)
		}
	}
	return nil
}

// A Confirm asks for yes or no.
type Confirm struct {
	Question    string `json:"question" jsonschema:"The question, to be answered by yes or no."`
	Description string `json:"description,omitempty" jsonschema:"More on the question, as Markdown."`
	Warning     string `json:"warning,omitempty" jsonschema:"A consequence that the user has to know."`
	IsDangerous bool   `json:"isDangerous,omitempty" jsonschema:"Yes deletes or changes something that cannot be restored."`
	DefaultToNo *bool  `json:"defaultToNo,omitempty" jsonschema:"Enter answers no. This is always so if isDangerous is true."`
	YesLabel    string `json:"yesLabel,omitempty" jsonschema:"The word on the button for yes."`
	NoLabel     string `json:"noLabel,omitempty" jsonschema:"The word on the button for no."`
	Title       string `json:"title,omitempty" jsonschema:"The title of the dialog. The default is Confirm."`
}

// Kind implements [Question].
func (*Confirm) Kind() Kind { return KindConfirm }

// Subject implements [Question].
func (q *Confirm) Subject() string { return q.Question }

// DefaultsToNo reports whether Enter answers no.
func (q *Confirm) DefaultsToNo() bool {
	if q.DefaultToNo != nil {
		return *q.DefaultToNo || q.IsDangerous
	}
	return q.IsDangerous
}

// Check implements [Question].
func (q *Confirm) Check() error {
	for _, d := range []struct {
		field  *string
		normal string
	}{{&q.Title, "Confirm"}, {&q.YesLabel, "Yes"}, {&q.NoLabel, "No"}} {
		if strings.TrimSpace(*d.field) == "" {
			*d.field = d.normal
		}
	}
	return errors.Join(
		checkRequired("question", q.Question, MaxSubject),
		checkLength("description", q.Description, MaxBody),
		checkLength("warning", q.Warning, MaxSubject),
		checkLength("yesLabel", q.YesLabel, MaxLabel),
		checkLength("noLabel", q.NoLabel, MaxLabel),
		checkLength("title", q.Title, MaxLabel),
	)
}

// Accept implements [Question].
func (q *Confirm) Accept(a Answer) error {
	if a.isGiven() && a.Confirmed == nil {
		return errors.New("answer yes or no")
	}
	return nil
}
