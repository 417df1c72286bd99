package fields

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"goated/internal/exact"
)

// Parse parses the user's input. An empty input has no value, and is an error if the field is
// required. The input for a MultiChoice has one label per line. The input for a Group or a List
// is JSON. Errors are phrases to show beside the field.
func (f Field) Parse(input string) (value any, present bool, err error) {
	if input == "" && f.Kind != MultiChoice {
		switch {
		case f.Required && f.nullable:
			return nil, true, nil
		case f.Required && f.mayBeEmpty():
			return f.text("")
		case f.Required && f.Kind == Toggle:
			return false, true, nil
		case f.Required:
			return nil, false, fmt.Errorf("%s is required", f.Label)
		}
		return nil, false, nil
	}
	switch f.Kind {
	case Number, Integer:
		return f.number(input)
	case Date, Time, Moment:
		return f.moment(input)
	case Toggle:
		switch word := strings.ToLower(strings.TrimSpace(input)); word {
		case "y", "yes", "on":
			return true, true, nil
		case "n", "no", "off":
			return false, true, nil
		default:
			b, err := strconv.ParseBool(word)
			if err != nil {
				return nil, false, fmt.Errorf("%s must be true or false", f.Label)
			}
			return b, true, nil
		}
	case Choice:
		v, err := f.choose(input)
		return v, err == nil, err
	case MultiChoice:
		chosen := []any{}
		for line := range strings.Lines(input) {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			v, err := f.choose(line)
			if err != nil {
				return nil, false, err
			}
			chosen = append(chosen, v)
		}
		if !f.Required && len(chosen) == 0 {
			return chosen, false, nil
		}
		return chosen, true, f.Items(chosen)
	case JSON, Group, List:
		v, err := f.parseJSON(input)
		if err == nil {
			err = f.check(v)
		}
		return v, err == nil, err
	}
	return f.text(input)
}

// mayBeEmpty reports whether an empty string is a value of the field.
func (f Field) mayBeEmpty() bool {
	return (f.Kind == Text || f.Kind == LongText) && f.only() == "string"
}

// parseJSON parses JSON. If the field also accepts a string, an input that is not JSON becomes
// that string.
func (f Field) parseJSON(input string) (any, error) {
	var v any
	err := exact.Decode([]byte(input), &v)
	texts := slices.Contains(f.types, "string")
	switch {
	case err == nil && (len(f.types) == 0 || f.acceptsType(v)):
		return v, nil
	case texts:
		return input, nil
	case err != nil:
		return nil, fmt.Errorf("%s must be JSON: %w", f.Label, err)
	}
	return nil, fmt.Errorf("%s must be %s", f.Label, strings.Join(f.types, " or "))
}

// acceptsType reports whether a value has one of the field's types.
func (f Field) acceptsType(v any) bool {
	kind := ""
	switch v := v.(type) {
	case nil:
		return f.nullable
	case string:
		kind = "string"
	case bool:
		kind = "boolean"
	case json.Number:
		kind = "number"
		if n, ok := rational(v.String()); ok && n.IsInt() && slices.Contains(f.types, "integer") {
			return true
		}
	case []any:
		kind = "array"
	case map[string]any:
		kind = "object"
	}
	return slices.Contains(f.types, kind)
}

// check checks a value that was entered as JSON, including its members and items.
func (f Field) check(value any) error {
	switch v := value.(type) {
	case map[string]any:
		for _, m := range f.Members {
			inner, ok := v[m.Name]
			if !ok && !m.Required {
				continue
			}
			if err := m.check(inner); err != nil {
				return fmt.Errorf("%s: %w", f.Label, err)
			}
		}
		return nil
	case []any:
		if f.Item != nil {
			for i, inner := range v {
				item := *f.Item
				if item.Label = fmt.Sprintf("%s %d", f.Item.Label, i+1); item.check(inner) != nil {
					return fmt.Errorf("%s: %w", f.Label, item.check(inner))
				}
			}
		}
		return f.Items(v)
	case nil:
		if f.nullable || len(f.types) == 0 {
			return nil
		}
		return fmt.Errorf("%s is required", f.Label)
	}
	if len(f.types) > 0 && !f.acceptsType(value) {
		return fmt.Errorf("%s must be %s", f.Label, strings.Join(f.types, " or "))
	}
	if f.Kind == JSON {
		return nil
	}
	_, _, err := f.Parse(f.Format(value))
	return err
}

func (f Field) choose(input string) (any, error) {
	for _, c := range f.Choices { // labels first, because the user sees them: a label can be the value of another
		if c.Label == input {
			return c.Value, nil
		}
	}
	for _, c := range f.Choices {
		if fmt.Sprint(c.Value) == input {
			return c.Value, nil
		}
	}
	labels := make([]string, len(f.Choices))
	for i, c := range f.Choices {
		labels[i] = c.Label
	}
	return nil, fmt.Errorf("%s must be one of %s", f.Label, strings.Join(labels, ", "))
}

// Format formats a value as an input that [Field.Parse] parses as the same value.
func (f Field) Format(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		if f.Kind == JSON && !f.parsesAsItself(v) || f.Kind == Group || f.Kind == List {
			break
		}
		if f.Kind == Choice {
			return f.label(v)
		}
		return v
	case []any:
		if f.Kind == MultiChoice {
			labels := make([]string, len(v))
			for i, item := range v {
				labels[i] = f.label(item)
			}
			return strings.Join(labels, "\n")
		}
	}
	if f.Kind == Choice {
		return f.label(value)
	}
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(data)
}

// parsesAsItself reports whether a string in a field with several types parses as itself.
func (f Field) parsesAsItself(text string) bool {
	v, err := f.parseJSON(text)
	return err == nil && v == any(text) && slices.Contains(f.types, "string")
}

// label returns the label of the choice with a value, or the value itself if no choice has it.
func (f Field) label(value any) string {
	for _, c := range f.Choices {
		if reflect.DeepEqual(c.Value, value) {
			return c.Label
		}
	}
	return fmt.Sprint(value)
}
