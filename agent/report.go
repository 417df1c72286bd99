package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"google.golang.org/genai"
)

// report shows what the tools gave.
func report(c *genai.Content) string {
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
			b.WriteString(said)
			continue
		}
		said, _ := r.Response["output"].(string)
		switch said = strings.TrimSpace(said); {
		case said == "" && len(r.Parts) > 0:
			b.WriteString("The tool gave an image; it is on its card.")
		case said == "":
			b.WriteString("The tool gave no text.")
		default:
			b.WriteString(excerpt(readable(said)))
		}
	}
	return b.String()
}

// readable makes a line of each object in a list of them: JSON is for machines.
func readable(text string) string {
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
		lines[i] = "- " + strings.Join(row, " · ")
	}
	return strings.Join(lines, "\n")
}

// An orderedObject is the values of a flat JSON object, in their order.
type orderedObject []string

func (o *orderedObject) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return errors.New("not an object")
	}
	for dec.More() {
		if _, err := dec.Token(); err != nil {
			return err
		}
		value, err := dec.Token()
		if err != nil {
			return err
		}
		if _, nested := value.(json.Delim); nested {
			return errors.New("not flat")
		}
		*o = append(*o, strings.Join(strings.Fields(fmt.Sprint(value)), " "))
	}
	return nil
}

// maxReport is how much of a result is said again below its card.
const maxReport = 2000

func excerpt(text string) string {
	if len(text) <= maxReport {
		return text
	}
	end := maxReport
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return fmt.Sprintf("%s\n… (%d bytes in all; the tool's card has the rest)", text[:end], len(text))
}
