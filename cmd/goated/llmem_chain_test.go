package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/geminitest"
)

// Each task of LLMem that needs a model runs from start to end: goated sends its prompt to the
// model without tools. The model's output is stored in the workspace and returned to the
// conversation.
func TestChatRunsEachChain(t *testing.T) {
	const source = "package pkg\n\n// A is first.\nfunc A() {}\n\n// B is second.\nfunc B() {}\n"
	for _, tt := range []struct {
		name, task    string
		options       map[string]any
		writes        string
		file          string
		prompt, lacks string
		result        string // part of the result of get_artifact
	}{
		{name: "notes on a file", task: "annotate", writes: "- `A`: Opens.\n- `B`: Closes.", file: "a.go.annotate.md", prompt: "func B()", result: `"note":"Closes."`},
		{name: "notes on one symbol", task: "annotate", options: map[string]any{"focusOn": []string{"A"}}, writes: "- `A`: Opens.", file: "a.go.annotate.md", prompt: "only about these symbols: A", lacks: "func B()", result: `"note":"Opens."`},
		{name: "a summary of a file", task: "summarize", writes: "Opens and closes.", file: "a.go.summarize.md", prompt: "func A()", result: "Opens and closes."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			if err := os.MkdirAll(filepath.Join(p.project, "pkg"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(p.project, "pkg", "a.go"), []byte(source), 0o600); err != nil {
				t.Fatal(err)
			}
			args := map[string]any{"path": "pkg/a.go", "task": tt.task}
			if tt.options != nil {
				args["options"] = tt.options
			}
			s := geminitest.New(t)
			s.Script(
				geminitest.Call("llmem__generate_artifact", args),
				geminitest.Text(tt.writes),
				geminitest.Call("llmem__get_artifact", map[string]any{"path": "pkg/a.go"}),
				geminitest.Text("Done."),
			)
			p.env = append(p.env, "GEMINI_API_KEY="+geminitest.DefaultKey, "GOOGLE_GEMINI_BASE_URL="+s.URL)
			out, aside, code := p.run("chat", "-p", "look at pkg/a.go", "--with", "llmem", "--yes", "--json")
			if code != 0 {
				t.Fatalf("status %d\n%s%s", code, out, aside)
			}
			calls := returned(t, out)
			if len(calls) != 2 || len(calls[0].Chain) != 1 || calls[0].Error != "" {
				t.Fatalf("returned %+v\n%s", calls, aside)
			}
			if data, err := os.ReadFile(filepath.Join(p.project, ".artifacts", "pkg", tt.file)); err != nil || string(data) != tt.writes {
				t.Errorf("%s: %q, %v", tt.file, data, err)
			}
			request := s.Requests()[1]
			if prompt := request.Contents[0].Parts[0].Text; len(request.Tools) != 0 || !strings.Contains(prompt, tt.prompt) || tt.lacks != "" && strings.Contains(prompt, tt.lacks) {
				t.Errorf("%d tools, and the prompt\n%s", len(request.Tools), prompt)
			}
			if !strings.Contains(out, tt.result) && !strings.Contains(strings.ReplaceAll(out, `\"`, `"`), tt.result) {
				t.Errorf("the conversation lacks %s\n%s", tt.result, out)
			}
			s.Done()
		})
	}
}
