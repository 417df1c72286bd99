package contents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"google.golang.org/genai"
)

// Report returns the results of the tools as text for the user. failed words the errors,
// which are written for a model.
func Report(c *genai.Content, failed func(string) string) string {
	var b strings.Builder
	for _, p := range c.Parts {
		r := p.FunctionResponse
		if r == nil {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		if said, ok := r.Response["error"].(string); ok {
			b.WriteString(failed(said))
			continue
		}
		said, _ := r.Response["output"].(string)
		switch said = strings.TrimSpace(said); {
		case said == "" && len(r.Parts) > 0:
			var kinds []string
			for _, part := range r.Parts {
				if part.InlineData != nil && part.InlineData.MIMEType != "" {
					kinds = append(kinds, part.InlineData.MIMEType)
				}
			}
			b.WriteString(strings.TrimSuffix("The tool returned an image: "+strings.Join(kinds, ", "), ": ") + ".")
		case said == "":
			b.WriteString("The tool returned no text.")
		default:
			b.WriteString(brokenLines(excerpt(readable(said))))
		}
	}
	return b.String()
}

// brokenLines returns text as Markdown that keeps its line breaks. Tools return lists and logs
// as plain lines, which Markdown joins to one paragraph. Two spaces at the end of a line break
// it there. Lines of a code block and those before an empty line need none.
func brokenLines(text string) string {
	lines := strings.Split(text, "\n")
	fence := ""
	for i, line := range lines {
		start := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(start, fence) {
				fence = ""
			}
			continue
		case strings.HasPrefix(start, "```"), strings.HasPrefix(start, "~~~"):
			fence = start[:3]
			continue
		}
		if start != "" && i+1 < len(lines) && strings.TrimSpace(lines[i+1]) != "" && !strings.HasPrefix(start, "- ") {
			lines[i] = strings.TrimRight(line, " \t\r") + "  "
		}
	}
	return strings.Join(lines, "\n")
}

// readable returns one line for each member of a flat JSON object, or for each
// object in a list; it returns other text as it is.
func readable(text string) string {
	switch text {
	case "[]":
		return "The tool returned an empty list."
	case "{}":
		return "The tool returned an empty result."
	}
	var one orderedObject
	if strings.HasPrefix(text, "{") && json.Unmarshal([]byte(text), &one) == nil && len(one) > 0 {
		lines := make([]string, len(one))
		for i, m := range one {
			lines[i] = "- " + m.name + ": " + m.value
		}
		return strings.Join(lines, "\n")
	}
	if !strings.HasPrefix(text, "[") {
		return text
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var rows []orderedObject
	if dec.Decode(&rows) != nil || dec.More() || len(rows) == 0 {
		return text
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		values := make([]string, len(row))
		for j, m := range row {
			values[j] = m.value
		}
		lines[i] = "- " + strings.Join(values, " · ")
	}
	return strings.Join(lines, "\n")
}

// An orderedObject is a flat JSON object whose members keep their order.
type orderedObject []struct{ name, value string }

func (o *orderedObject) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return errors.New("not an object")
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		value, err := dec.Token()
		if err != nil {
			return err
		}
		if _, nested := value.(json.Delim); nested {
			return errors.New("not flat")
		}
		*o = append(*o, struct{ name, value string }{fmt.Sprint(name), strings.Join(strings.Fields(fmt.Sprint(value)), " ")})
	}
	return nil
}

// maxReport is the largest part of a result below its card, in bytes.
const maxReport = 2000

func excerpt(text string) string {
	if len(text) <= maxReport {
		return text
	}
	end := maxReport
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return fmt.Sprintf("%s\n… (%d bytes in total; the result of the call has the rest)", text[:end], len(text))
}

// Responds reports whether a content answers function calls.
func Responds(c *genai.Content) bool {
	return slices.ContainsFunc(c.Parts, func(p *genai.Part) bool { return p.FunctionResponse != nil })
}
