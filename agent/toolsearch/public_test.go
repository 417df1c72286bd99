package toolsearch

import (
	"crypto/sha1"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// number matches the number at the start of a line of the annotations, as in "2. convert_to_pdf".
var number = regexp.MustCompile(`^\s*\d+\s*[.、:)]\s*`)

// LiveMCPBench (github.com/icip-cas/LiveMCPBench, Apache 2.0) has 527 tools of 70 servers, and
// tasks that people split into steps and annotated with tools. The test searches for each step with
// one tool, among the tools as a session passes them to the search. The IDs split the tasks into
// two halves; the second half must not influence any weight or word of the search.
// GOATED_LIVEMCPBENCH is the path of a checkout. docs/speed.md has the results and explains why
// they are lower than those of TestRecall.
func TestRecallOfLiveMCPBench(t *testing.T) {
	root := os.Getenv("GOATED_LIVEMCPBENCH")
	if root == "" {
		t.Skip("GOATED_LIVEMCPBENCH does not name a checkout of github.com/icip-cas/LiveMCPBench")
	}
	var servers []struct {
		Tools map[string]struct {
			Tools []struct {
				Name, Description string
				InputSchema       struct {
					Properties map[string]struct{ Description string }
				}
			}
		}
	}
	read(t, filepath.Join(root, "tools/LiveMCPTool/tools.json"), &servers)
	var tools []Tool
	for _, s := range servers {
		for name, server := range s.Tools {
			for _, tool := range server.Tools {
				var args []string
				for arg, p := range tool.InputSchema.Properties {
					args = append(args, arg+" "+p.Description)
				}
				slices.Sort(args)
				tools = append(tools, Tool{Server: name, Name: tool.Name, Description: tool.Description, Args: args})
			}
		}
	}
	var tasks []struct {
		ID    string                        `json:"task_id"`
		Notes struct{ Steps, Tools string } `json:"Annotator Metadata"`
	}
	read(t, filepath.Join(root, "annotated_data/all_annotations.json"), &tasks)
	x := New(tools)
	var halves [2]struct{ n, five, one int }
	for _, task := range tasks {
		steps, names := numbered(task.Notes.Steps), numbered(task.Notes.Tools)
		if len(steps) != len(names) {
			continue // the annotations do not assign tools to steps
		}
		sum := sha1.Sum([]byte(task.ID))
		half := &halves[1-sum[len(sum)-1]%2]
		for i, step := range steps {
			fits := func(k int) bool { return tools[k].Name == names[i] }
			if !slices.ContainsFunc(tools, func(tool Tool) bool { return tool.Name == names[i] }) {
				continue
			}
			found := x.Search(step, 5)
			half.n++
			if slices.ContainsFunc(found, fits) {
				half.five++
			} else if half == &halves[0] { // do not print failures of the second half
				t.Logf("%q: %s is not among the first five", step, names[i])
			}
			if len(found) > 0 && fits(found[0]) {
				half.one++
			}
		}
	}
	for i, half := range halves {
		n := float64(half.n)
		t.Logf("half %d, %d tools, %d requests: %.1f %% among the first five, %.1f %% first", i+1, len(tools), half.n, 100*float64(half.five)/n, 100*float64(half.one)/n)
		if half.n < 30 || float64(half.five) < 0.75*n || float64(half.one) < 0.45*n {
			t.Errorf("half %d: %d requests: %d among the first five, %d first", i+1, half.n, half.five, half.one)
		}
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
