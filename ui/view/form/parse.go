package form

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"goated/internal/exact"
)

// Parse reads the user's input. Empty input has no value, and is an error if the
// field is required. The input of a MultiChoice is one label a line. Errors are
// phrases to show beside the field.
func (f Field) Parse(input string) (value any, present bool, err error) {
	if input == "" && f.Kind != MultiChoice {
		switch {
		case f.Required && f.optional == "string" && f.Kind != Choice:
			return "", true, nil // empty text is a value
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
	case Toggle:
		b, err := strconv.ParseBool(strings.TrimSpace(input))
		if err != nil {
			return nil, false, fmt.Errorf("%s must be true or false", f.Label)
		}
		return b, true, nil
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
		return chosen, f.Required || len(chosen) > 0, nil
	case JSON:
		var v any
		if err := exact.Decode([]byte(input), &v); err != nil {
			return nil, false, fmt.Errorf("%s must be JSON: %w", f.Label, err)
		}
		return v, true, nil
	}
	return input, true, nil
}

func (f Field) choose(input string) (any, error) {
	for _, c := range f.Choices {
		if c.Label == input || fmt.Sprint(c.Value) == input {
			return c.Value, nil
		}
	}
	labels := make([]string, len(f.Choices))
	for i, c := range f.Choices {
		labels[i] = c.Label
	}
	return nil, fmt.Errorf("%s must be one of %s", f.Label, strings.Join(labels, ", "))
}

// Format writes a value as input that [Field.Parse] reads back.
func (f Field) Format(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		if f.Kind != JSON {
			return v
		}
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

func (f Field) label(value any) string {
	for _, c := range f.Choices {
		if c.Value == value {
			return c.Label
		}
	}
	return fmt.Sprint(value)
}
