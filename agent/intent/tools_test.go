package intent

import (
	"os"
	"strings"
	"testing"
)

// toolbox parses tools from lines of the form "server tool | description | arguments". An argument
// is name:type, followed by ! if it is required. A type in parentheses is a list of values. Two
// more columns may contain the title, and "reads" or "changes" as the server declares it.
func toolbox(t testing.TB, lines string) []Tool {
	t.Helper()
	var all []Tool
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		cols := strings.Split(line, " | ")
		server, own, ok := strings.Cut(cols[0], " ")
		if !ok || len(cols) < 2 {
			t.Fatalf("line %q", line)
		}
		properties, required := map[string]any{}, []any{}
		if len(cols) > 2 {
			for arg := range strings.FieldsSeq(cols[2]) {
				name, kind, _ := strings.Cut(arg, ":")
				kind, needed := strings.CutSuffix(kind, "!")
				p := map[string]any{"type": kind}
				switch {
				case strings.HasPrefix(kind, "("):
					var values []any
					for v := range strings.SplitSeq(strings.Trim(kind, "()"), ",") {
						values = append(values, v)
					}
					p = map[string]any{"type": "string", "enum": values}
				case kind == "strings":
					p = map[string]any{"type": "array", "items": map[string]any{"type": "string"}}
				case kind == "objects":
					p = map[string]any{"type": "array", "items": map[string]any{"type": "object"}}
				case kind == "edits":
					p = map[string]any{"type": "array", "items": map[string]any{"type": "object", "properties": map[string]any{"oldText": map[string]any{"type": "string"}, "newText": map[string]any{"type": "string"}}}}
				}
				properties[name] = p
				if needed {
					required = append(required, name)
				}
			}
		}
		cols = append(cols, "", "", "")
		effect := map[string]Effect{"reads": Reads, "changes": Changes}[cols[4]]
		all = append(all, Tool{Name: server + "__" + own, Server: server, Own: own, Title: cols[3], Description: cols[1], Effect: effect,
			Schema: map[string]any{"type": "object", "properties": properties, "required": required}})
	}
	return all
}

// known returns the lines of the given sets of tools in testdata/tools, such as "usual popular".
func known(t testing.TB, sets string) string {
	t.Helper()
	var lines strings.Builder
	for name := range strings.FieldsSeq(sets) {
		data, err := os.ReadFile("testdata/tools/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(data)
	}
	return lines.String()
}
