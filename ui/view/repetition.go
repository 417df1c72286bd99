package view

import (
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent/contents"
	"goated/internal/exact"
)

// A repetition describes which texts of a result repeat its structured content, and how to show
// them only once. MCP asks servers to send structured content as text too (2025-06-18, Tools,
// Structured Content). The Python SDK sends a list as one text per element, and as structured
// content {"result": […]}.
type repetition struct {
	text    string           // the structured content as in a text, with its order of members; empty if no text contains all of it
	instead map[int][]string // the replacements of texts, by index
}

// all reports whether the texts contain the whole structured content.
func (r repetition) all() bool { return r.text != "" }

// repetitionOf compares the texts of a result with its structured content. Without structured
// content, it joins neighbouring texts that are JSON objects into one list, because servers also
// send a list of records in this form.
func repetitionOf(r *mcp.CallToolResult) repetition {
	if r.StructuredContent == nil {
		return repetition{instead: joinedRecords(r.Content)}
	}
	at, texts := plainTexts(r.Content)
	whole, inside := valuesIn(r.StructuredContent)
	for _, v := range whole {
		list, _ := v.([]any)
		switch {
		case len(texts) == 1 && equalsValue(texts[0], v):
			return repetition{texts[0], withoutTexts(at)}
		case len(list) > 0 && equalValues(texts, list):
			return repetition{joined(texts, list), withoutTexts(at)}
		}
	}
	return amongWords(at, texts, whole, inside)
}

// amongWords finds repetitions in texts that also contain words, and repetitions of a part of the
// structured content.
func amongWords(at []int, texts []string, whole, inside []any) repetition {
	out := repetition{instead: make(map[int][]string)}
	divided := make([][]segment, len(texts))
	var every []string // the values in all texts
	for i, text := range texts {
		divided[i] = segmentsOf(text)
		for _, s := range divided[i] {
			every = append(every, s.values...)
		}
	}
	run := func(values []string) (found bool, all bool) {
		said := make([]any, len(values))
		for i, v := range values {
			said[i], _ = parse(v)
		}
		for i, v := range append(whole[:len(whole):len(whole)], inside...) {
			if len(said) == 1 && exact.Equal(v, said[0]) || len(said) > 0 && exact.Equal(v, said) {
				return true, i < len(whole)
			}
		}
		return false, false
	}
	together, all := run(every)
	if together && all {
		out.text = segment{values: every}.json()
	}
	for i := range texts {
		var words []string
		some := false
		for _, s := range divided[i] {
			repeats := len(s.values) > 0 && together
			if len(s.values) > 0 && !together {
				repeats, all = run(s.values)
				if repeats && all && out.text == "" {
					out.text = s.json()
				}
			}
			if repeats {
				some = true
			} else {
				words = append(words, s.text)
			}
		}
		if some {
			out.instead[at[i]] = words
		}
	}
	return out
}

// valuesIn returns the values of structured content that a text may repeat. Each value of whole
// contains all of it. inside contains the objects and lists within other objects.
func valuesIn(structured any) (whole, inside []any) {
	if data, err := json.Marshal(structured); err == nil {
		structured, _ = parse(string(data))
	}
	whole = contents.WholeValues(structured)
	return whole, membersOf(whole[len(whole)-1], 0)
}

// membersOf returns the objects and lists within an object.
func membersOf(v any, depth int) (out []any) {
	m, _ := v.(map[string]any)
	if depth == aroundDepth || len(m) > gridColumns {
		return nil
	}
	for _, member := range m {
		switch member := member.(type) {
		case map[string]any:
			out = append(append(out, member), membersOf(member, depth+1)...)
		case []any:
			out = append(out, member)
		}
	}
	return out
}

// plainTexts returns the texts without annotations, and their indexes.
func plainTexts(content []mcp.Content) (at []int, texts []string) {
	for i, c := range content {
		if text, ok := plainText(c); ok {
			at, texts = append(at, i), append(texts, text)
		}
	}
	return at, texts
}

func plainText(c mcp.Content) (string, bool) {
	if t, ok := c.(*mcp.TextContent); ok && len(t.Meta) == 0 && t.Annotations == nil {
		return t.Text, true
	}
	return "", false
}

// withoutTexts replaces the texts at the given indexes by nothing.
func withoutTexts(at []int) map[int][]string {
	out := make(map[int][]string, len(at))
	for _, i := range at {
		out[i] = nil
	}
	return out
}

// equalsValue reports whether a text represents v, as JSON or as a string.
func equalsValue(text string, v any) bool {
	if v == any(text) {
		return true
	}
	said, ok := parse(text)
	return ok && exact.Equal(v, said)
}

func equalValues(texts []string, list []any) bool {
	if len(texts) != len(list) {
		return false
	}
	for i, v := range list {
		if !equalsValue(texts[i], v) {
			return false
		}
	}
	return true
}

// joined returns texts, which are the elements of list, as one JSON list.
func joined(texts []string, list []any) string {
	elements := make([]string, len(texts))
	for i, text := range texts {
		elements[i] = text
		if list[i] == any(text) {
			elements[i] = FormatJSON(text)
		}
	}
	return "[" + strings.Join(elements, ",\n") + "]"
}

// joinedRecords joins neighbouring texts that are JSON objects into one list, which replaces the
// first of them.
func joinedRecords(content []mcp.Content) map[int][]string {
	out := make(map[int][]string)
	var run []string
	for i := 0; i <= len(content); i++ {
		if i < len(content) {
			if text, ok := plainText(content[i]); ok && isObject(text) {
				run = append(run, text)
				continue
			}
		}
		if len(run) > 1 {
			for n := range run {
				out[i-len(run)+n] = nil
			}
			out[i-len(run)] = []string{"[" + strings.Join(run, ",\n") + "]"}
		}
		run = nil
	}
	return out
}

func isObject(text string) bool {
	return strings.HasPrefix(strings.TrimSpace(text), "{") && json.Valid([]byte(text))
}
