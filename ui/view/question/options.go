package question

import (
	"fmt"
	"strconv"
	"strings"

	"goated/ui/view/fields"
)

// list prints the choices of a field with their numbers.
func (q Form) list(f fields.Field) {
	for i, c := range f.Choices {
		q.Say(fmt.Sprintf("  %d. %s", i+1, c.Label))
	}
}

// form describes in a prompt how to enter a choice or a boolean.
func form(f fields.Field) []string {
	switch {
	case f.Kind == fields.Toggle:
		return []string{"y or n"}
	case f.Kind == fields.MultiChoice:
		return []string{fmt.Sprintf("numbers 1 to %d with commas", len(f.Choices))}
	case len(f.Choices) > 0:
		return []string{fmt.Sprintf("number 1 to %d", len(f.Choices))}
	}
	return nil
}

// preset returns the default value of a field for its prompt.
func preset(f fields.Field) string {
	if on, ok := f.Default.(bool); ok && f.Kind == fields.Toggle {
		return map[bool]string{true: "y", false: "n"}[on]
	}
	return strings.ReplaceAll(f.Format(f.Default), "\n", ", ")
}

// entered converts the user's input to the form that [fields.Field.Parse] expects. A choice may
// be entered as a number, and a label may contain commas.
func entered(f fields.Field, answer string) string {
	switch f.Kind {
	case fields.Choice:
		return chosen(f, answer)
	case fields.MultiChoice:
		if one := chosen(f, answer); named(f, one) {
			return one
		}
		parts := strings.Split(answer, ",")
		for i, part := range parts {
			parts[i] = chosen(f, part)
		}
		return strings.Join(parts, "\n")
	}
	return answer
}

// chosen returns the label for the number of a choice. A label or a value that equals the number
// takes precedence.
func chosen(f fields.Field, answer string) string {
	answer = strings.TrimSpace(answer)
	if n, err := strconv.Atoi(answer); err == nil && n >= 1 && n <= len(f.Choices) && !named(f, answer) {
		return f.Choices[n-1].Label
	}
	return answer
}

func named(f fields.Field, answer string) bool {
	for _, c := range f.Choices {
		if c.Label == answer || fmt.Sprint(c.Value) == answer {
			return true
		}
	}
	return false
}
