// Package inputs describes the values that a server needs from its user before its first start,
// such as a key or a folder: the inputs of the MCP registry, and the user configuration of .mcpb
// bundles. It checks values. It must not know who asks for them, stores them or uses them.
package inputs

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Kind is the type of a value.
type Kind string

// These are the kinds of values.
const (
	Text    Kind = "string"
	Number  Kind = "number"
	Boolean Kind = "boolean"
	File    Kind = "file"
	Folder  Kind = "directory"
)

// An Input is a value, or a list of values, that a server needs.
type Input struct {
	ID          string // unique among the inputs of a server
	Title       string // shown to the user
	Description string
	Kind        Kind
	Required    bool
	Secret      bool // the value belongs in the keyring
	Multiple    bool // it takes several values
	Default     []string
	Placeholder string
	Choices     []string // the allowed values; empty: any value
	Min, Max    *float64 // limits of a number; nil: none
}

// maxValue limits the length of a value, in bytes.
const maxValue = 64 << 10

// Values contains the values of inputs, by id.
type Values map[string][]string

// Fill returns the values of all inputs: the given ones, or the defaults. The error lists each
// missing or wrong input.
func Fill(list []Input, given Values) (Values, error) {
	out := make(Values)
	var errs []error
	for _, in := range list {
		values, ok := given[in.ID]
		if !ok {
			values = in.Default
		}
		values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == "" })
		if err := in.Check(values); err != nil {
			errs = append(errs, err)
			continue
		}
		if len(values) > 0 {
			out[in.ID] = values
		}
	}
	for id := range given {
		if !slices.ContainsFunc(list, func(in Input) bool { return in.ID == id }) {
			errs = append(errs, fmt.Errorf("the server has no setting %q", id))
		}
	}
	return out, errors.Join(errs...)
}

// Label returns the title, or the id if there is no title.
func (in Input) Label() string {
	if in.Title != "" {
		return in.Title
	}
	return in.ID
}

// Check returns an error if the values are not valid. The error does not contain a secret.
func (in Input) Check(values []string) error {
	switch {
	case len(values) == 0 && in.Required:
		return fmt.Errorf("%s is missing", in.Label())
	case len(values) > 1 && !in.Multiple:
		return fmt.Errorf("%s has one value only", in.Label())
	}
	for _, v := range values {
		if err := in.check(v); err != nil {
			return fmt.Errorf("%s: %w", in.Label(), err)
		}
	}
	return nil
}

func (in Input) check(v string) error {
	switch {
	case len(v) > maxValue:
		return errors.New("the value is too long")
	case strings.ContainsRune(v, 0):
		return errors.New("the value contains a zero byte")
	case len(in.Choices) > 0 && !slices.Contains(in.Choices, v):
		return errors.New("choose one of " + strings.Join(in.Choices, ", "))
	}
	switch in.Kind {
	case Boolean:
		if v != "true" && v != "false" {
			return errors.New("enter true or false")
		}
	case Number:
		n, err := strconv.ParseFloat(v, 64)
		switch {
		case err != nil:
			return errors.New("enter a number")
		case in.Min != nil && n < *in.Min:
			return fmt.Errorf("the least number is %g", *in.Min)
		case in.Max != nil && n > *in.Max:
			return fmt.Errorf("the greatest number is %g", *in.Max)
		}
	}
	return nil
}
