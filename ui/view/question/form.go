package question

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"goated/agent"
	"goated/internal/safetext"
	"goated/ui/view/fields"
)

// A Form asks for the values of fields, one line at a time. Both functions must be set.
type Form struct {
	Ask func(prompt string, secret bool) (string, error) // io.EOF means that the user declines
	Say func(line string)
}

// Fill asks for the fields of a JSON schema that are missing in values, and adds the entered
// values. If all is false, it asks only for required fields. It asks for the members of an object
// and the items of a list one by one. If the user declines, it returns [agent.ErrDeclined].
func (q Form) Fill(schema any, values map[string]any, all bool) error {
	list, err := fields.FromSchema(schema)
	if err != nil {
		return err
	}
	if err = q.members("", list, values, all); errors.Is(err, io.EOF) {
		return agent.ErrDeclined
	}
	return err
}

// members asks for fields. inside is the label of the object that contains them.
func (q Form) members(inside string, list []fields.Field, values map[string]any, all bool) error {
	for _, f := range list {
		if _, known := values[f.Name]; known || !f.Required && !all {
			continue
		}
		value, present, err := q.value(inside, f, all)
		if err != nil {
			return err
		}
		if present {
			values[f.Name] = value
		}
	}
	return nil
}

// value asks for one field until the answer is valid.
func (q Form) value(inside string, f fields.Field, all bool) (value any, present bool, err error) {
	label := inside + f.Label
	switch {
	case f.Kind == fields.Group && len(f.Members) > 0:
		if !f.Required {
			if yes, err := q.agrees(label + notes(f) + ", fill it in? [y/N] "); err != nil || !yes {
				return f.Default, f.Default != nil && err == nil, err
			}
		}
		object := make(map[string]any)
		return object, true, q.members(label+" › ", f.Members, object, all)
	case f.Kind == fields.List && f.Item != nil:
		return q.items(label, f, all)
	}
	q.list(f)
	for {
		answer, err := q.Ask(label+notes(f)+": ", f.Secret)
		if err != nil {
			return nil, false, err
		}
		if answer == "" && f.Default != nil {
			answer = f.Format(f.Default)
		} else {
			answer = entered(f, answer)
		}
		value, present, err := f.Parse(answer)
		if err == nil {
			return value, present, nil
		}
		q.Say(err.Error() + ".")
	}
}

// items asks for the items of a list until the user ends the list.
func (q Form) items(label string, f fields.Field, all bool) (value any, present bool, err error) {
	items := []any{}
	q.Say(label + notes(f) + ": one item after the other.")
	q.list(*f.Item)
	for {
		item, more, err := q.item(fmt.Sprintf("%s %d", label, len(items)+1), *f.Item, all)
		switch {
		case err != nil:
			return nil, false, err
		case more:
			items = append(items, item)
			continue
		case len(items) == 0 && f.Default != nil:
			return f.Default, true, nil
		case len(items) == 0 && !f.Required:
			return nil, false, nil
		}
		if err := f.Items(items); err != nil {
			q.Say(err.Error() + ".")
			if len(items) >= f.InitialItems() { // more items do not solve the problem
				q.Say("The list begins again.")
				items = []any{}
			}
			continue
		}
		return items, true, nil
	}
}

// item asks for one item. more is false if the user ended the list.
func (q Form) item(label string, f fields.Field, all bool) (value any, more bool, err error) {
	if f.Kind == fields.Group && len(f.Members) > 0 || f.Kind == fields.List && f.Item != nil {
		if yes, err := q.agrees(label + ", add it? [y/N] "); err != nil || !yes {
			return nil, false, err
		}
		f.Label, f.Required, f.Default = "", true, nil
		return q.value(label, f, all)
	}
	for {
		answer, err := q.Ask(label+notes(f)+", Enter ends the list: ", f.Secret)
		if err != nil || answer == "" {
			return nil, false, err
		}
		value, present, err := f.Parse(entered(f, answer))
		if err == nil && present {
			return value, true, nil
		}
		if err != nil {
			q.Say(err.Error() + ".")
		}
	}
}

func (q Form) agrees(prompt string) (bool, error) {
	answer, err := q.Ask(prompt, false)
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y"), err
}

// maxDefault limits the length of a default value in a prompt, in characters.
const maxDefault = 200

// notes returns the text beside a field's label in the prompt.
func notes(f fields.Field) string {
	var out []string
	if f.Help != "" {
		out = append(out, f.Help)
	}
	out = append(out, form(f)...)
	switch {
	case f.Default != nil:
		out = append(out, "default "+safetext.Cut(preset(f), maxDefault))
	case !f.Required && f.Name != "":
		out = append(out, "optional")
	}
	if len(out) == 0 {
		return ""
	}
	return " (" + strings.Join(out, "; ") + ")"
}
