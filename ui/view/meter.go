package view

import (
	"fmt"
	"strings"

	"goated/agent"
	"goated/ui/view/format"
)

// A MeterPart is one of the things that fill the model's context.
type MeterPart struct {
	Name   string
	Detail string // may be empty
	Tokens int
}

// MeterParts returns the parts of the context in the order of a request. The free space comes
// last.
func MeterParts(m agent.ContextUsage) []MeterPart {
	yours := "Yours"
	if m.Noted > 0 {
		yours += ", and " + format.Plural(m.Noted, "%d server's own", "%d servers' own")
	}
	tools := "None"
	if m.Declared > 0 {
		tools = format.Plural(m.Declared, "%d tool", "%d tools") + " of " + format.Plural(m.Servers, "%d server", "%d servers")
	}
	results := format.Plural(m.Responses, "%d result", "%d results")
	if m.Trimmed > 0 {
		results += format.Plural(m.Trimmed, ", %d shortened", ", %d shortened")
	}
	return []MeterPart{
		{"Instructions", yours, m.Instructions},
		{"Tools", tools, m.Tools},
		{"Conversation", format.Plural(m.Messages, "%d message", "%d messages"), m.Conversation},
		{"Tool results", results, m.Results},
		{"Free", "", max(m.Limit-m.Used(), 0)},
	}
}

// Filled returns how much of the context is used, in percent.
func Filled(m agent.ContextUsage) int {
	if m.Limit <= 0 {
		return 0
	}
	return (m.Used()*100 + m.Limit/2) / m.Limit
}

// MeterLines returns the meter as lines of text.
func MeterLines(m agent.ContextUsage) []string {
	lines := []string{fmt.Sprintf("Context: about %s of %s tokens (%d %%)", format.Short(m.Used()), format.Short(m.Limit), Filled(m))}
	for _, p := range MeterParts(m) {
		lines = append(lines, strings.TrimRight(fmt.Sprintf("  %-14s %6s  %s", p.Name, format.Short(p.Tokens), p.Detail), " "))
	}
	if m.Stored > 0 {
		lines = append(lines, fmt.Sprintf("  %-14s %6d  %s", "On disk", m.Stored, "whole results that the model can still read"))
	}
	if m.Cached > 0 {
		lines = append(lines, fmt.Sprintf("  %-14s %6s  %s", "Cached", format.Short(m.Cached), "of the last request"))
	}
	return lines
}
