package contents

import (
	"encoding/json"
	"slices"
	"strings"

	"google.golang.org/genai"

	"goated/internal/attachedfile"
)

// Report returns the results of tools as text for the user. failed rewrites an error message that
// was written for a model. If the results are the text of a file, file is the file's extension;
// otherwise it is empty.
func Report(c *genai.Content, file string, failed func(string) string) string {
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
		output, _ := r.Response["output"].(string)
		switch said := strings.TrimSpace(output); {
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
		case file != "":
			b.WriteString(asMarkdown(output, file))
		default:
			said, all := withoutNote(said)
			text, note := excerpt(readable(said), all)
			if isJSON(text) { // incomplete JSON, which Markdown would change
				b.WriteString(fenced(text, "json") + note)
				break
			}
			b.WriteString(brokenLines(text + note))
		}
	}
	return b.String()
}

// brokenLines returns text as Markdown that keeps its line breaks. Tools return lists and logs as
// plain lines, which Markdown joins to one paragraph. Two spaces at the end of a line keep the
// break. Lines in a code block and lines before an empty line do not need them.
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

// isJSON reports whether a text begins like a JSON object or a list of objects.
func isJSON(text string) bool {
	start := strings.Join(strings.Fields(text[:min(len(text), 100)]), "")
	return strings.HasPrefix(start, `{"`) || strings.HasPrefix(start, `[{"`)
}

// readable returns one line for each member of a JSON object, or for each object in a list. It
// returns other text unchanged.
func readable(text string) string {
	switch text {
	case "[]":
		return "The tool returned an empty list."
	case "{}":
		return "The tool returned an empty result."
	}
	var one orderedObject
	if strings.HasPrefix(text, "{") && json.Unmarshal([]byte(text), &one) == nil && len(one) > 0 {
		return one.lines()
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
		lines[i] = "- " + row.line()
	}
	return strings.Join(lines, "\n")
}

// maxResults limits the total size of the texts that Results returns, in bytes.
const maxResults = 256 << 10

// Results returns the texts of the latest tool results, newest first.
func Results(history []*genai.Content) []string {
	var all []string
	size := 0
	for _, c := range slices.Backward(history) {
		for _, p := range c.Parts {
			if p.FunctionResponse == nil {
				continue
			}
			if text, ok := p.FunctionResponse.Response["output"].(string); ok && size < maxResults {
				size += len(text)
				all = append(all, text)
			}
		}
	}
	return all
}

// IsResponse reports whether a content answers function calls.
func IsResponse(c *genai.Content) bool {
	return slices.ContainsFunc(c.Parts, func(p *genai.Part) bool { return p.FunctionResponse != nil })
}

// HasAttachment reports whether a message of the user has an attached file.
func HasAttachment(c *genai.Content) bool {
	return slices.ContainsFunc(c.Parts, func(p *genai.Part) bool {
		return p.InlineData != nil || p.FileData != nil || attachedfile.Is(p.Text)
	})
}
