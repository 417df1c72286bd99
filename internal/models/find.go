package models

import (
	"fmt"
	"strings"

	"goated/agent"
	"goated/internal/config"
)

// Default is the name of the model that answers if the user has chosen none.
const Default = agent.DefaultModel

// Called returns the name that the user types for a model.
func Called(e Entry) string {
	if e.Ref.Service == config.NoModel {
		return config.NoModel
	}
	return e.Ref.Name
}

// Find returns the model with a name, or the only model whose name or title contains it. It also
// accepts a Gemini name that is in no list, because lists are never complete.
func Find(groups []Group, name string) (Entry, error) {
	name = strings.ToLower(strings.TrimSpace(name))
	var found []Entry
	for _, g := range groups {
		for _, e := range g.Entries {
			switch {
			case strings.ToLower(Called(e)) == name, strings.ToLower(e.Title) == name:
				return e, nil
			case name != "" && (strings.Contains(strings.ToLower(Called(e)), name) || strings.Contains(strings.ToLower(e.Title), name)):
				found = append(found, e)
			}
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case strings.HasPrefix(name, "gemini-") || strings.HasPrefix(name, "gemma-"):
		return geminiEntry(name), nil
	case len(found) == 0:
		return Entry{}, fmt.Errorf("no model is called %q. /model lists them", name)
	}
	names := make([]string, len(found))
	for i, e := range found {
		names[i] = Called(e)
	}
	return Entry{}, fmt.Errorf("several models match %q: %s. Write more of the name", name, strings.Join(names, ", "))
}

// PriceText formats the price of a model in USD per million input and output tokens. It returns ""
// if the price is unknown.
func PriceText(e Entry) string {
	switch {
	case e.Free:
		return "Free"
	case e.Priced:
		return fmt.Sprintf("$%.2f / $%.2f", e.Price.Input, e.Price.Output)
	}
	return ""
}
