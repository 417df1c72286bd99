package toolsearch

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// number begins a line of the annotations: "2. convert_to_pdf".
var number = regexp.MustCompile(`^\s*\d+\s*[.、:)]\s*`)

// LiveMCPBench (github.com/icip-cas/LiveMCPBench, Apache 2.0) has 527 tools of 70 servers, and
// tasks that people split into steps and named the tools of. Each step with one tool is a
// request. No weight or word of the search follows them. GOATED_LIVEMCPBENCH names a checkout;
// docs/speed.md has the figures and says why they are lower than those of TestRecall.
func TestRecallOfLiveMCPBench(t *testing.T) {
	root := os.Getenv("GOATED_LIVEMCPBENCH")
	if root == "" {
		t.Skip("GOATED_LIVEMCPBENCH does not name a checkout of github.com/icip-cas/LiveMCPBench")
	}
	var servers []struct {
		Tools map[string]struct {
			Tools []struct {
				Name, Description string
				InputSchema       struct{ Properties map[string]any }
			}
		}
	}
	read(t, filepath.Join(root, "tools/LiveMCPTool/tools.json"), &servers)
	var tools []Tool
	for _, s := range servers {
		for name, server := range s.Tools {
			for _, tool := range server.Tools {
				tools = append(tools, Tool{Server: name, Name: tool.Name, Description: tool.Description, Args: slices.Sorted(maps.Keys(tool.InputSchema.Properties))})
			}
		}
	}
	var tasks []struct {
		Notes struct{ Steps, Tools string } `json:"Annotator Metadata"`
	}
	read(t, filepath.Join(root, "annotated_data/all_annotations.json"), &tasks)
	x := New(tools)
	n, five, one := 0, 0, 0
	for _, task := range tasks {
		steps, names := numbered(task.Notes.Steps), numbered(task.Notes.Tools)
		if len(steps) != len(names) {
			continue // nobody says which tool is for which step
		}
		for i, step := range steps {
			fits := func(k int) bool { return tools[k].Name == names[i] }
			if !slices.ContainsFunc(tools, func(tool Tool) bool { return tool.Name == names[i] }) {
				continue
			}
			found := x.Search(step, 5)
			n++
			if slices.ContainsFunc(found, fits) {
				five++
			} else {
				t.Logf("%q: %s is not among the first five", step, names[i])
			}
			if len(found) > 0 && fits(found[0]) {
				one++
			}
		}
	}
	t.Logf("%d tools, %d requests: %.1f %% among the first five, %.1f %% first", len(tools), n, 100*float64(five)/float64(n), 100*float64(one)/float64(n))
	if n < 90 || five*100 < n*72 || one*100 < n*46 {
		t.Errorf("%d requests: %d among the first five, %d first", n, five, one)
	}
}

func numbered(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(number.ReplaceAllString(line, "")); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func read(t *testing.T, path string, v any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}
