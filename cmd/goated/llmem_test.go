package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/geminitest"
)

// This is the whole chain of seed 001: the model calls the real LLMem, goated runs its prompts one
// by one, folder by folder, and the summaries are in the workspace.
func TestChatSummarizesAFolder(t *testing.T) {
	p := newPlace(t)
	for name, text := range map[string]string{
		"pkg/a.go":       "package pkg\n\n// A is first.\nfunc A() {}\n",
		"pkg/inner/b.py": "def b():\n    \"\"\"Second.\"\"\"\n",
	} {
		full := filepath.Join(p.project, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := geminitest.New(t)
	s.Script(
		geminitest.Call("llmem__generate_artifact", map[string]any{"path": "pkg", "task": "summarize"}),
		geminitest.Text("Holds b."),
		geminitest.Text("Holds A and inner."),
		geminitest.Call("llmem__get_artifact", map[string]any{"path": "pkg"}),
		geminitest.Text("It is summarized."),
	)
	p.env = append(p.env, "GEMINI_API_KEY="+geminitest.DefaultKey, "GOOGLE_GEMINI_BASE_URL="+s.URL)
	out, aside, code := p.run("chat", "-p", "summarize pkg", "--with", "llmem", "--yes", "--json")
	if code != 0 {
		t.Fatalf("status %d\n%s%s", code, out, aside)
	}
	calls := returned(t, out)
	if len(calls) != 2 || len(calls[0].Chain) != 2 || calls[0].Chain[0].About != "summarize pkg/inner" || calls[0].Error != "" {
		t.Fatalf("returned %+v\n%s", calls, aside)
	}
	for name, want := range map[string]string{"pkg/inner/inner.summarize": "Holds b.", "pkg/pkg.summarize": "Holds A and inner."} {
		if data, err := os.ReadFile(filepath.Join(p.project, ".artifacts", name)); err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	requests := s.Requests()
	if prompt := requests[2].Contents[0].Parts[0].Text; len(requests[2].Tools) != 0 || !strings.Contains(prompt, "## Folder pkg/inner\nHolds b.") || !strings.Contains(prompt, "- function A: A is first.") {
		t.Errorf("the second prompt is\n%s", prompt)
	}
	s.Done()
}

func TestServersThatAreOff(t *testing.T) {
	p := newPlace(t)
	if out, _, _ := p.run("tools"); strings.Contains(out, "llmem") {
		t.Errorf("llmem runs without being asked for:\n%s", out)
	}
	if out, aside, code := p.run("tools", "--with", "llmem"); code != 0 || !strings.Contains(out, "map_workspace") {
		t.Errorf("status %d, %s%s", code, out, aside)
	}
	if _, aside, code := p.run("tools", "--with", "nope"); code == 0 || !strings.Contains(aside, `no bundled server "nope"`) {
		t.Errorf("status %d, %s", code, aside)
	}
}
